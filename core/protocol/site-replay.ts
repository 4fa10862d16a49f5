import { z } from 'zod';
import { NameSchema } from '../evaluation/name.ts';
import { mostHosts } from '../site/site.ts';
import { Sha256Schema } from './capture-outcome.ts';

/** What the hosts of an emulated network replay. Its Agent fetches the files, `api/sites/NAME/file`, and keeps them by their hashes. */
export const SiteReplaySchema = z.object({
  sites: z
    .array(
      z.object({ name: NameSchema, sha256: Sha256Schema, pages: z.array(z.number().int().min(1)).min(1).max(2000) }),
    )
    .min(1)
    .max(mostHosts),
  /** Of the recorded time that a server took. */
  thinkTimeFactor: z.number().nonnegative(),
});
export type SiteReplay = z.infer<typeof SiteReplaySchema>;
