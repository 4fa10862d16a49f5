import { findPageObjects } from './find-page-objects.ts';
import { findMainFrame, findNavigationStart } from './navigation-start.ts';
import { hasLedNowhere } from './request-outcome.ts';
import type { Measurement } from './reading.ts';
import type { Snapshot } from './snapshot.ts';

/** Base page latency: navigation start to the last byte of the base page's HTML, redirects included. */
export function measureBaseLatency(snapshot: Snapshot): Measurement {
  const main = findMainFrame(snapshot);
  const objects = findPageObjects(snapshot);
  // A page that a script has replaced at its own address has no entry of its own.
  const document =
    objects.find((object) => object.type === 'document' && object.frame === main) ??
    objects.findLast(({ hops }) => hops.at(-1)?.isMainDocument && !hasLedNowhere(hops.at(-1)!));
  return document ? measureLatestEnd([document], findNavigationStart(snapshot)) : { reason: 'not-reached' };
}

/** When the last of some objects ended; not reached while one of them is in flight. */
export function measureLatestEnd(
  objects: readonly { endEpochMs: number | null }[],
  originEpochMs: number,
): Measurement {
  const ends = objects.map((object) => object.endEpochMs);
  const latest = ends.reduce<number | null>(
    (last, end) => (last === null || end === null ? null : Math.max(last, end)),
    originEpochMs,
  );
  return latest === null ? { reason: 'not-reached' } : { value: latest - originEpochMs };
}
