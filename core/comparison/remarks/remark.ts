import { z } from 'zod';

/** What to know before believing a finding, and what of the report it speaks of. */
export const RemarkSchema = z.object({
  about: z.enum([
    'order',
    'added',
    'failed',
    'lost-objects',
    'unsettled',
    'start-order',
    'flag',
    'host-load',
    'lossy',
    'ended-tls',
    'replay-misses',
  ]),
  text: z.string(),
});
export type Remark = z.infer<typeof RemarkSchema>;
