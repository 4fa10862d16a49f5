import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { SnapshotSchema } from '#core/metrics/snapshot.ts';

/** A Visit that an engine made, and what the origin saw of its base page's last request. */
const RecordedVisitSchema = z.object({
  engine: z.string(),
  cache: z.enum(['cold', 'warm']),
  page: z.string(),
  truth: z.object({ isConnectionNew: z.boolean(), heldMs: z.number(), responseMs: z.number() }),
  snapshot: SnapshotSchema,
});
export type RecordedVisit = z.infer<typeof RecordedVisitSchema>;

/** Made by `record-visits.ts`. */
export function readRecordedVisits(): RecordedVisit[] {
  return z
    .array(RecordedVisitSchema)
    .parse(JSON.parse(readFileSync(new URL('../recorded/visits.json', import.meta.url), 'utf8')));
}
