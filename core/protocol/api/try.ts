import { z } from 'zod';
import { NameSchema } from '../../evaluation/name.ts';
import { TrustedKeysSchema } from '../../evaluation/browser/trusted-keys.ts';
import { VisitUrlSchema } from '../../evaluation/pages/url-list.ts';
import { EngineSchema } from '../../evaluation/users/user-agent.ts';

/** One URL, to be loaded once now. */
export const TryRequestSchema = z.strictObject({
  url: VisitUrlSchema,
  host: NameSchema,
  engine: EngineSchema,
  trustedKeys: TrustedKeysSchema,
});
export type TryRequest = z.infer<typeof TryRequestSchema>;
