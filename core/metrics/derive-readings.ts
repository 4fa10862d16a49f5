import { measureBaseLatency } from './base-latency.ts';
import { metricIds, type MetricId } from './catalogue.ts';
import { measureNavigationPhases } from './navigation-phases.ts';
import { measurePaints } from './paints.ts';
import { readingOf, type Measurement, type Reading } from './reading.ts';
import type { Snapshot } from './snapshot.ts';
import { measureTotalLatency } from './total-latency.ts';
import { measureTraffic } from './measure-traffic.ts';
import { countViewportObjects, measureViewportLatency } from './viewport-latency.ts';

/** One Reading of each metric of the catalogue, in its order. Definitions and sources: `docs/metrics.md`. */
export function deriveReadings(snapshot: Snapshot): Reading[] {
  const measurements: Record<MetricId, Measurement> = {
    baseMs: measureBaseLatency(snapshot),
    viewportMs: measureViewportLatency(snapshot),
    totalMs: measureTotalLatency(snapshot),
    viewportObjectCount: countViewportObjects(snapshot),
    ...measureNavigationPhases(snapshot),
    ...measurePaints(snapshot),
    ...measureTraffic(snapshot),
  };
  return metricIds.map((metric) => readingOf(metric, measurements[metric]));
}
