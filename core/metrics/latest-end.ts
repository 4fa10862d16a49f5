import type { Measurement } from './reading.ts';

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
