import { z } from 'zod';
import { NameSchema } from '../../evaluation/name.ts';
import { TrustedKeysSchema } from '../../evaluation/trusted-keys.ts';
import { VisitUrlSchema } from '../../evaluation/url-list.ts';
import { EngineSchema } from '../../evaluation/user-agent.ts';

/** One URL, to be loaded once now. */
export const TryRequestSchema = z.strictObject({
  url: VisitUrlSchema,
  host: NameSchema,
  engine: EngineSchema,
  trustedKeys: TrustedKeysSchema,
});
export type TryRequest = z.infer<typeof TryRequestSchema>;
