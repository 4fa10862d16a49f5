import { findSettledEpochMs } from './after-settling.ts';
import { findMainFrame } from './navigation-start.ts';
import type { Measurement } from './reading.ts';
import type { Snapshot } from './snapshot.ts';

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
