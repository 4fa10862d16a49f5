import type { PageObject } from './page-object.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * Whether an object began while the frames were read out, after the page had settled: then it is in their entries, and no request was recorded of it. An Agent whose clock had fallen
 * behind that of its browser took Snapshots before their last requests: these show that it was later.
 */
export function isAfterSettling(snapshot: Snapshot): (object: PageObject) => boolean {
  const takenEpochMs = snapshot.requests.reduce(
    (latest, { startEpochMs, endEpochMs }) => Math.max(latest, startEpochMs, endEpochMs ?? 0),
    snapshot.takenEpochMs,
  );
  return ({ hops, startEpochMs }) => hops.length === 0 && startEpochMs > takenEpochMs;
}
