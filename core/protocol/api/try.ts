import { z } from 'zod';
import { NameSchema } from '../../evaluation/name.ts';
import { TrustedKeysSchema } from '../../evaluation/browser/trusted-keys.ts';
import { VisitUrlSchema } from '../../evaluation/pages/visit-url.ts';
import { EngineSchema } from '../../evaluation/users/user-agent.ts';

/** One after the other, each for as long as a page may take. */
export const mostTriedUrls = 20;

/** URLs, to be loaded once now. */
export const TryRequestSchema = z.strictObject({
  urls: z
    .array(VisitUrlSchema)
    .min(1, 'must have at least one URL')
    .max(mostTriedUrls, `must have at most ${mostTriedUrls} URLs`)
    .refine((urls) => new Set(urls).size === urls.length, 'must have each URL once'),
  host: NameSchema,
  engine: EngineSchema,
  trustedKeys: TrustedKeysSchema,
});
export type TryRequest = z.infer<typeof TryRequestSchema>;
