import type { Filmstrip } from '../protocol/filmstrip.ts';
import type { AbsenceReason, Measured, Measurement, Metrics } from './metric-definition.ts';
import { findMainFrame, findNavigationStart } from './navigation-start.ts';
import type { Snapshot } from './snapshot.ts';

/** How the viewport filled, by its film. */
export const visualProgress = {
  speedIndexMs: {
    unit: 'ms',
    label: 'Speed Index',
    definition:
      'Average time at which parts of the viewport are displayed: the integral of 1 − visual progress from navigation start, by the frames of the filmstrip.',
    source: 'WebPageTest',
    since: 1,
    section: 'rendering',
  },
  visuallyComplete85Ms: {
    unit: 'ms',
    label: 'Visually complete 85 %',
    definition: 'Navigation start to the first frame of the filmstrip with a visual progress of at least 85 %.',
    source: 'WebPageTest',
    since: 1,
    section: 'rendering',
  },
  visuallyComplete95Ms: {
    unit: 'ms',
    label: 'Visually complete 95 %',
    definition: 'Navigation start to the first frame of the filmstrip with a visual progress of at least 95 %.',
    source: 'WebPageTest',
    since: 1,
    section: 'rendering',
  },
  visuallyComplete100Ms: {
    unit: 'ms',
    label: 'Visually complete',
    definition: 'Navigation start to the first frame of the filmstrip that has all colours of the last.',
    source: 'WebPageTest',
    since: 1,
    section: 'rendering',
  },
} as const satisfies Metrics;

/** A film that begins later has missed what was there before. */
const latestBeginMs = 100;

/** What the viewport had of its last look, from a time on. */
interface Progress {
  atMs: number;
  ratio: number;
}

/**
 * Speed Index, the integral over time of the part of the viewport that is not there yet, and when so much of it is there first.
 * https://docs.webpagetest.org/metrics/speedindex/
 */
export function measureVisualProgress(
  snapshot: Snapshot,
  filmstrip: Filmstrip | null | undefined,
): Measured<typeof visualProgress> {
  const progress = readProgress(snapshot, filmstrip);
  const measure = (of: (steps: readonly Progress[]) => number): Measurement =>
    typeof progress === 'string' ? { reason: progress } : { value: of(progress) };
  const completeAt = (ratio: number) => measure((steps) => steps.find((step) => step.ratio >= ratio)!.atMs);
  return {
    speedIndexMs: measure(computeSpeedIndex),
    visuallyComplete85Ms: completeAt(0.85),
    visuallyComplete95Ms: completeAt(0.95),
    visuallyComplete100Ms: completeAt(1),
  };
}

function computeSpeedIndex(steps: readonly Progress[]): number {
  return steps.reduce((sum, { ratio, atMs }, index) => {
    const nextMs = steps[index + 1]?.atMs ?? atMs;
    return sum + (1 - ratio) * (nextMs - atMs);
  }, 0);
}

function readProgress(snapshot: Snapshot, filmstrip: Filmstrip | null | undefined): Progress[] | AbsenceReason {
  if (snapshot.viewport === null) return 'unsupported';
  if (filmstrip?.kind !== 'kept' || filmstrip.isLastLate) return 'not-filmed';
  if (findMainFrame(snapshot).wasEverHidden) return 'page-hidden';
  if (!snapshot.settled) return 'not-reached';
  const startEpochMs = findNavigationStart(snapshot);
  const steps = filmstrip.frames.flatMap(({ shownEpochMs, progressRatio }) =>
    progressRatio === undefined ? [] : [{ atMs: shownEpochMs - startEpochMs, ratio: progressRatio }],
  );
  const isWhole = steps.length === filmstrip.frames.length && steps.at(-1)!.ratio === 1;
  if (!isWhole || steps[0]!.atMs > latestBeginMs) return 'not-filmed';
  if (steps[0]!.ratio === 1) return 'not-reached';
  // The first look is that of the empty tab, which was there when navigation started.
  return steps.map(({ atMs, ratio }, index) => ({ atMs: index === 0 ? 0 : Math.max(0, atMs), ratio }));
}
