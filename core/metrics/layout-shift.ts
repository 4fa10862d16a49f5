import { findSettledEpochMs } from './find-counted-objects.ts';
import type { Measurement, Metrics } from './metric-definition.ts';
import { findMainFrame } from './navigation-start.ts';
import type { LayoutShift } from './frame-snapshot.ts';
import type { Snapshot } from './snapshot.ts';

/** How far what users saw moved. */
export const layoutShift = {
  cumulativeLayoutShift: {
    unit: 'score',
    label: 'Cumulative layout shift',
    definition:
      'How far visible content moved until the page had settled: the greatest sum of layout shifts within a session window, without those after an input.',
    source: 'Layout Instability, WICG; session windows as in web-vitals',
    since: 2,
    section: 'rendering',
  },
} as const satisfies Metrics;

/** Between two shifts of a session window, and from its first to its last. */
const gapMs = 1000;
const windowMs = 5000;

/**
 * Cumulative Layout Shift until the page had settled: the greatest sum of the shifts of one session window, without those after an input.
 * https://web.dev/articles/cls, https://github.com/GoogleChrome/web-vitals/blob/main/src/onCLS.ts
 */
export function measureLayoutShift(snapshot: Snapshot): Measurement {
  const { layoutShifts, wasEverHidden, firstContentfulPaintMs, timeOrigin } = findMainFrame(snapshot);
  if (!layoutShifts) return { reason: 'unsupported' };
  if (wasEverHidden) return { reason: 'page-hidden' };
  if (!snapshot.settled || firstContentfulPaintMs === null) return { reason: 'not-reached' };
  const endMs = findSettledEpochMs(snapshot) - timeOrigin;
  return { value: sumGreatestWindow(layoutShifts.filter(({ startTime }) => startTime <= endMs)) };
}

function sumGreatestWindow(layoutShifts: readonly LayoutShift[]): number {
  let [greatest, sum, firstMs, lastMs] = [0, 0, -Infinity, -Infinity];
  const shifts = layoutShifts.filter(({ hadRecentInput }) => !hadRecentInput);
  for (const { startTime, value } of shifts.toSorted((a, b) => a.startTime - b.startTime)) {
    const continues = startTime - lastMs < gapMs && startTime - firstMs < windowMs;
    if (!continues) firstMs = startTime;
    sum = continues ? sum + value : value;
    lastMs = startTime;
    greatest = Math.max(greatest, sum);
  }
  return greatest;
}
