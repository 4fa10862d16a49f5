import { z } from 'zod';
import type { Filmstrip } from '../protocol/filmstrip.ts';
import { latencies, measureLatencies } from './latencies.ts';
import { layoutShift, measureLayoutShift } from './layout-shift.ts';
import { mainThread, measureMainThread } from './main-thread.ts';
import { AbsenceReasonSchema, type Measurement, type MetricDefinition, type Metrics } from './metric-definition.ts';
import { measureNavigationPhases, navigationPhases, requestStart } from './navigation-phases.ts';
import { largestPaintParts, measureLargestPaintParts, measurePaints, paints } from './paints.ts';
import { blockingTime, interaction, measureBlockingTime, measureInteraction } from './responsiveness.ts';
import { measureReplayMisses, replayMisses } from './replay-misses.ts';
import type { Snapshot } from './snapshot.ts';
import { measureTask, tasks } from './tasks.ts';
import { measureObjectsAndBytes, objectsAndBytes } from './objects-and-bytes.ts';
import { measureVisualProgress, visualProgress } from './visual-progress.ts';

/**
 * The definitions are versioned: the number rises whenever a definition changes. Stored Readings keep the version that they were derived
 * by, so that the Comparison of a Run stays as it was.
 */
export const metricsVersion = 5;

/** Every metric that a Visit can have, in the order of Readings. `docs/metrics.md` says more; a test holds the two to the same list. */
export const catalogue = {
  ...requestStart,
  ...latencies,
  ...navigationPhases,
  ...paints,
  ...objectsAndBytes,
  ...visualProgress,
  ...layoutShift,
  ...blockingTime,
  ...tasks,
  ...largestPaintParts,
  ...interaction,
  ...mainThread,
  ...replayMisses,
} as const satisfies Metrics;

export type MetricId = keyof typeof catalogue;
export const metricIds = Object.keys(catalogue) as [MetricId, ...MetricId[]];

export type LatencyId = keyof typeof latencies;
export const latencyIds = Object.keys(latencies) as [LatencyId, LatencyId, LatencyId];

/** The metrics whose means a section of the Comparison has. */
export function listSection(section: MetricDefinition['section']): MetricId[] {
  return metricIds.filter((id) => (catalogue[id] as MetricDefinition).section === section);
}

/** One metric of one Visit: a value, or absent with a reason. */
export const ReadingSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('measured'), metric: z.enum(metricIds), value: z.number() }),
  z.object({ kind: z.literal('absent'), metric: z.enum(metricIds), reason: AbsenceReasonSchema }),
]);
export type Reading = z.infer<typeof ReadingSchema>;

/**
 * One Reading of each metric, in the order of the catalogue. Those of visual progress need the film of the Visit, if there is one.
 */
export function deriveReadings(snapshot: Snapshot, filmstrip?: Filmstrip | null): Reading[] {
  const measurements: Record<MetricId, Measurement> = {
    ...measureLatencies(snapshot),
    ...measureNavigationPhases(snapshot),
    ...measurePaints(snapshot),
    ...measureObjectsAndBytes(snapshot),
    ...measureVisualProgress(snapshot, filmstrip),
    ...measureTask(snapshot),
    ...measureLargestPaintParts(snapshot),
    ...measureMainThread(snapshot),
    cumulativeLayoutShift: measureLayoutShift(snapshot),
    totalBlockingMs: measureBlockingTime(snapshot),
    interactionMs: measureInteraction(snapshot),
    replayMissCount: measureReplayMisses(snapshot),
  };
  return metricIds.map((metric) => {
    const measurement = measurements[metric];
    return 'value' in measurement
      ? { kind: 'measured', metric, value: measurement.value }
      : { kind: 'absent', metric, reason: measurement.reason };
  });
}
