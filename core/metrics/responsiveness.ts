import { findSettledEpochMs } from './find-counted-objects.ts';
import type { Measurement, Metrics } from './metric-definition.ts';
import { findMainFrame } from './navigation-start.ts';
import type { Interaction } from './frame-snapshot.ts';
import type { Snapshot } from './snapshot.ts';

/** For how long the page could not have answered. */
export const blockingTime = {
  totalBlockingMs: {
    unit: 'ms',
    label: 'Total blocking time',
    definition:
      'Sum, over tasks of more than 50 ms, of what exceeds 50 ms, from first contentful paint until the page had settled.',
    source: 'Long Tasks, W3C; Lighthouse, with another end',
    since: 2,
    section: 'rendering',
  },
} as const satisfies Metrics;

/** So long a task may be before a user notices. */
const unnoticedMs = 50;

/**
 * Total Blocking Time: of each long task what exceeds 50 ms, from the first contentful paint until the page had settled. A task that one of these
 * two cuts counts with the part between. Lighthouse ends at Time to Interactive, for which it waits 5 s more.
 * https://github.com/GoogleChrome/lighthouse/blob/main/core/computed/metrics/tbt-utils.js
 */
export function measureBlockingTime(snapshot: Snapshot): Measurement {
  const { longTasks, wasEverHidden, firstContentfulPaintMs: startMs, timeOrigin } = findMainFrame(snapshot);
  if (!longTasks) return { reason: 'unsupported' };
  if (wasEverHidden) return { reason: 'page-hidden' };
  if (!snapshot.settled || startMs === null) return { reason: 'not-reached' };
  const endMs = findSettledEpochMs(snapshot) - timeOrigin;
  const value = longTasks.reduce((sum, { startTime, duration }) => {
    const durationMs = Math.min(startTime + duration, endMs) - Math.max(startTime, startMs);
    return sum + Math.max(0, durationMs - unnoticedMs);
  }, 0);
  return { value };
}

/** How long the page took to answer. */
export const interaction = {
  interactionMs: {
    unit: 'ms',
    label: 'Interaction to next paint',
    definition:
      'Longest time from a click or key to the next paint, of a journey’s steps on the page. Of each 50 interactions, one is left out.',
    source: 'web-vitals 5, INP with a threshold of 16 ms',
    since: 8,
    section: 'rendering',
  },
} as const satisfies Metrics;

/** Of so many interactions, one is left out as extreme. */
const perLeftOut = 50;
const mostConsidered = 10;

/**
 * Interaction to Next Paint of a page: of the longest event of each interaction the longest, or with 50 interactions and more, about their 98th
 * percentile. https://web.dev/articles/inp, https://github.com/GoogleChrome/web-vitals/blob/v5.3.0/src/lib/InteractionManager.ts
 */
export function measureInteraction(snapshot: Snapshot): Measurement {
  const { interactions, interactionCount, wasEverHidden } = findMainFrame(snapshot);
  if (!interactions) return { reason: 'unsupported' };
  if (interactions.length === 0) return { reason: 'not-applicable' };
  if (wasEverHidden) return { reason: 'page-hidden' };
  const longest = listLongest(interactions);
  const leftOut = Math.floor((interactionCount ?? longest.length) / perLeftOut);
  const considered = longest.slice(0, mostConsidered);
  return { value: considered[Math.min(considered.length - 1, leftOut)]! };
}

/** The longest event of each interaction, in descending order. */
function listLongest(interactions: readonly Interaction[]): number[] {
  const durations = new Map<number, number>();
  for (const { id, duration } of interactions) durations.set(id, Math.max(durations.get(id) ?? 0, duration));
  return [...durations.values()].sort((a, b) => b - a);
}
