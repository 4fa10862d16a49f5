import { z } from 'zod';
import { FailureCodeSchema, type FailureCode } from '../metrics/failure-code.ts';
import { deriveReadings } from '../metrics/index.ts';
import { SnapshotSchema } from '../metrics/snapshot.ts';
import { FilmstripSchema, ScreenshotSchema } from './filmstrip.ts';

/** Three thousand years: with it, every time of a Visit is one that a date can hold. */
const longestOffsetMs = 1e14;

/** How one load of one URL ended. A page that loaded but did not settle is `ok`; its Snapshot says `settled: false`. */
export const VisitOutcomeSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('ok'), snapshot: SnapshotSchema }),
  z.object({
    status: z.literal('failed'),
    code: FailureCodeSchema,
    /** The engine's own words, such as `net::ERR_CONNECTION_REFUSED`. */
    detail: z.string().max(4096),
    /** What was seen before it failed, where anything was. */
    snapshot: SnapshotSchema.nullable(),
  }),
]);
export type VisitOutcome = z.infer<typeof VisitOutcomeSchema>;

/** September 2001: an earlier time is none of the Controller's clock, and the smallest numbers are no times in PostgreSQL. */
const earliestEpochMs = 1e12;
/** The last instant of a Date. https://tc39.es/ecma262/#sec-time-values-and-time-range */
const latestEpochMs = 8.64e15;

/** One load of one URL by one User Agent in one Round, as the Agent made it. The Agent makes the id, so that a repeated upload is harmless. */
export const VisitSchema = z.object({
  id: z.uuid(),
  passId: z.uuid(),
  /** Position in the Pass, from 0. */
  sequence: z.number().int().nonnegative().max(1_000_000),
  url: z.string().max(4096),
  /** Which measured load of this URL within the Pass, from 1; 0 is the unmeasured first load of a warm Pass. */
  repetition: z.number().int().nonnegative().max(1_000_000),
  /** When the engine was ordered to load, on the Controller's clock. */
  startedEpochMs: z.number().min(earliestEpochMs).max(latestEpochMs),
  /** Controller clock minus the clock of the Snapshot, and half the round trip that the Agent's was read with: the bound of its error. */
  clockOffsetMs: z.number().min(-longestOffsetMs).max(longestOffsetMs),
  clockErrorMs: z.number().nonnegative().max(longestOffsetMs),
  /** By how much this host itself may have made the latencies longer (ms): `HostDelayWatch`. Left out by older Agents. */
  hostDelayMs: z.number().nonnegative().max(longestOffsetMs).optional(),
  outcome: VisitOutcomeSchema,
  /** Left out when none was requested. */
  screenshot: ScreenshotSchema.optional(),
  /** Likewise. */
  filmstrip: FilmstripSchema.optional(),
});
export type Visit = z.infer<typeof VisitSchema>;

/** What `visit-ended` reports of a Visit. `totalMs`: null where its total latency is absent. */
export function summarizeOutcome(outcome: VisitOutcome): { code: FailureCode | null; totalMs: number | null } {
  if (outcome.status === 'failed') return { code: outcome.code, totalMs: null };
  const total = deriveReadings(outcome.snapshot).find((reading) => reading.metric === 'totalMs');
  return { code: null, totalMs: total?.kind === 'measured' ? total.value : null };
}
