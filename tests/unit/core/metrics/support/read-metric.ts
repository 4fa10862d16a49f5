import { type MetricId, deriveReadings } from '#core/metrics/index.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';

/** A metric's value, or the reason for its absence. */
export function readMetric(snapshot: Snapshot, metric: MetricId): number | string {
  const reading = deriveReadings(snapshot).find((candidate) => candidate.metric === metric);
  if (!reading) throw new Error(`There is no Reading of ${metric}`);
  return reading.kind === 'measured' ? reading.value : reading.reason;
}
