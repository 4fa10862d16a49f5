import { findPageObjects } from './find-page-objects.ts';
import { findMainFrame } from './navigation-start.ts';
import type { PageObject } from './page-object.ts';
import { neverWaitedFor } from './settle-rule.ts';
import type { Snapshot } from './snapshot.ts';

/** The base page and the embedded objects that the total page load latency counts. */
export function findCountedObjects(snapshot: Snapshot): PageObject[] {
  const { timeOrigin, navigation } = findMainFrame(snapshot);
  const loadEpochMs = navigation?.loadEventStart ? timeOrigin + navigation.loadEventStart : Infinity;
  const isLate = isAfterSettling(snapshot);
  return findPageObjects(snapshot).filter((object) => {
    const { type, startEpochMs } = object;
    if (neverWaitedFor.has(type) || isLate(object)) return false;
    // A later script fetch counts by the objects that it brings in.
    return type !== 'fetch' || startEpochMs < loadEpochMs;
  });
}

/**
 * When the page had settled, or the hard cap came: frames are read out a moment later. An Agent whose clock had fallen behind that of its browser took Snapshots before their last
 * requests: these show that it was later.
 */
export function findSettledEpochMs({ requests, takenEpochMs }: Snapshot): number {
  return requests.reduce(
    (latest, { startEpochMs, endEpochMs }) => Math.max(latest, startEpochMs, endEpochMs ?? 0),
    takenEpochMs,
  );
}

/** Whether an object began only while the frames were read out: then it is in their entries, and no request was recorded of it. */
export function isAfterSettling(snapshot: Snapshot): (object: PageObject) => boolean {
  const settledEpochMs = findSettledEpochMs(snapshot);
  return ({ hops, startEpochMs }) => hops.length === 0 && startEpochMs > settledEpochMs;
}
