import { z } from 'zod';
import { metricIds, type MetricId } from './catalogue.ts';

export const AbsenceReasonSchema = z.enum([
  /** The browser or the engine has no such measurement. */
  'unsupported',
  /** It did not happen before the Snapshot was taken: when the page had settled, or at the hard cap. */
  'not-reached',
  /** The page was hidden, so the browser held it back. */
  'page-hidden',
  /** The browser hides it from other origins. */
  'timing-hidden',
  /** There is nothing of the kind to measure: a connection without TLS has no handshake. */
  'not-applicable',
  /** The browser had opened the connection before it began the request, and gives no times of that. */
  'opened-ahead',
  /** The viewport was not filmed, or its film misses when a look was first shown. */
  'not-filmed',
]);
export type AbsenceReason = z.infer<typeof AbsenceReasonSchema>;

/** One metric of one Visit: a value, or absent with a reason. */
export const ReadingSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('measured'), metric: z.enum(metricIds), value: z.number() }),
  z.object({ kind: z.literal('absent'), metric: z.enum(metricIds), reason: AbsenceReasonSchema }),
]);
export type Reading = z.infer<typeof ReadingSchema>;

/** A measurement of any metric, before it is given its name. */
export type Measurement = { value: number } | { reason: AbsenceReason };

export function readingOf(metric: MetricId, measurement: Measurement): Reading {
  return 'value' in measurement
    ? { kind: 'measured', metric, value: measurement.value }
    : { kind: 'absent', metric, reason: measurement.reason };
}
