import type { PageObject } from './page-object.ts';
import type { Snapshot } from './snapshot.ts';

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
