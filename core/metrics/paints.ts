import type { MetricId } from './catalogue.ts';
import { findMainFrame, findNavigationStart } from './navigation-start.ts';
import type { Measurement } from './reading.ts';
import type { Snapshot } from './snapshot.ts';

type PaintId = Extract<MetricId, 'firstPaintMs' | 'firstContentfulPaintMs' | 'largestContentfulPaintMs'>;

/** https://w3c.github.io/paint-timing/, https://w3c.github.io/largest-contentful-paint/ */
export function measurePaints(snapshot: Snapshot): Record<PaintId, Measurement> {
  const main = findMainFrame(snapshot);
  const sinceStartMs = main.timeOrigin - findNavigationStart(snapshot);
  const at = (time: number | null): Measurement => {
    if (snapshot.viewport === null) return { reason: 'unsupported' };
    // A page that was loaded ahead is painted, and seen by nobody before it is shown.
    if (time !== null) return { value: sinceStartMs + Math.max(time, main.navigation?.activationStart ?? 0) };
    return { reason: main.wasEverHidden ? 'page-hidden' : 'not-reached' };
  };
  return {
    // Firefox reports the first contentful paint only, which no first paint can come after.
    firstPaintMs:
      main.firstPaintMs === null && main.firstContentfulPaintMs !== null
        ? { reason: 'unsupported' }
        : at(main.firstPaintMs),
    firstContentfulPaintMs: at(main.firstContentfulPaintMs),
    largestContentfulPaintMs: at(main.largestContentfulPaintMs),
  };
}
