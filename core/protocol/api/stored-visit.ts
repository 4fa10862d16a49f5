import { z } from 'zod';
import { metricIds } from '../../metrics/index.ts';
import { AbsenceReasonSchema } from '../../metrics/metric-definition.ts';
import { FailureCodeSchema } from '../../metrics/failure-code.ts';
import { SnapshotSchema } from '../../metrics/snapshot.ts';
import { FilmstripSchema, ScreenshotSchema } from '../filmstrip.ts';

/** One Visit with everything that is known of it. */
export const VisitDetailSchema = z.object({
  id: z.string(),
  runId: z.string(),
  roundId: z.string(),
  passId: z.uuid(),
  block: z.number().int(),
  scenario: z.string(),
  warmUp: z.boolean(),
  userAgent: z.string(),
  agent: z.string(),
  /** Position in the Pass, from 0. */
  sequence: z.number().int(),
  /** The page: the URL as its list has it, the same in every Scenario. */
  url: z.string(),
  /** What was loaded: the page with the variables of the Scenario. */
  address: z.string(),
  repetition: z.number().int(),
  startedAt: z.iso.datetime({ offset: true }),
  clockOffsetMs: z.number(),
  clockErrorMs: z.number(),
  /** By how much its host may have made it longer; null where its Agent did not report it. */
  hostDelayMs: z.number().nullable(),
  status: z.enum(['ok', 'failed']),
  /** Why it failed, and the engine's own words; null when it did not. */
  code: FailureCodeSchema.nullable(),
  detail: z.string().nullable(),
  metricsVersion: z.number().int(),
  /** Every metric is in one of the two: its value, or why it has none. */
  readings: z.partialRecord(z.enum(metricIds), z.number()),
  absences: z.partialRecord(z.enum(metricIds), AbsenceReasonSchema),
  /** Null when nothing was seen of the page. */
  snapshot: SnapshotSchema.nullable(),
  /** Null when none was requested. */
  screenshot: ScreenshotSchema.nullable(),
  filmstrip: FilmstripSchema.nullable(),
  /** Why it is left out of the statistics; null where it is not. */
  exclusion: z
    .object({
      id: z.string(),
      reason: z.string(),
      excludedBy: z.string(),
      excludedAt: z.iso.datetime({ offset: true }),
    })
    .nullable(),
  /** Its neighbours in the Pass; null at an end of it. */
  previousId: z.uuid().nullable(),
  nextId: z.uuid().nullable(),
});
export type VisitDetail = z.infer<typeof VisitDetailSchema>;
