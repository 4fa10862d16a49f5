import { measureBaseLatency } from './base-latency.ts';
import type { Filmstrip } from '../protocol/filmstrip.ts';
import { measureBlockingTime } from './blocking-time.ts';
import { metricIds, type MetricId } from './catalogue.ts';
import { measureLargestPaintParts } from './largest-paint-parts.ts';
import { measureInteraction } from './interaction.ts';
import { measureLayoutShift } from './layout-shift.ts';
import { measureNavigationPhases } from './navigation-phases.ts';
import { measurePaints } from './paints.ts';
import { readingOf, type Measurement, type Reading } from './reading.ts';
import type { Snapshot } from './snapshot.ts';
import { measureTask } from './measure-task.ts';
import { measureTotalLatency } from './total-latency.ts';
import { measureTraffic } from './measure-traffic.ts';
import { measureVisualProgress } from './visual-progress.ts';
import { countViewportObjects, measureViewportLatency } from './viewport-latency.ts';

/**
 * One Reading of each metric of the catalogue, in its order. Definitions and sources: `docs/metrics.md`. Those of visual progress
 * need the film of the Visit, if there is one.
 */
export function deriveReadings(snapshot: Snapshot, filmstrip?: Filmstrip | null): Reading[] {
  const measurements: Record<MetricId, Measurement> = {
    baseMs: measureBaseLatency(snapshot),
    viewportMs: measureViewportLatency(snapshot),
    totalMs: measureTotalLatency(snapshot),
    viewportObjectCount: countViewportObjects(snapshot),
    cumulativeLayoutShift: measureLayoutShift(snapshot),
    totalBlockingMs: measureBlockingTime(snapshot),
    interactionMs: measureInteraction(snapshot),
    ...measureNavigationPhases(snapshot),
    ...measurePaints(snapshot),
    ...measureTraffic(snapshot),
    ...measureVisualProgress(snapshot, filmstrip),
    ...measureTask(snapshot),
    ...measureLargestPaintParts(snapshot),
  };
  return metricIds.map((metric) => readingOf(metric, measurements[metric]));
}
