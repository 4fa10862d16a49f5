import type { ByteSeries } from '#core/packets/measures/byte-series.ts';

export interface ThroughputPoint {
  /** Seconds since the origin. */
  x: number;
  /** Kilobits per second over the bin. */
  y: number;
}

/** A series as steps of throughput. Bins that are left out had no bytes: the line goes to zero there. */
export function placeThroughput({ binMs, bins, bytes }: ByteSeries, originEpochMs: number): ThroughputPoint[] {
  const secondsOf = (bin: number) => (bin * binMs - originEpochMs) / 1000;
  return bins.flatMap((bin, index) => {
    const point = { x: secondsOf(bin), y: (bytes[index]! * 8) / binMs };
    const isFollowed = bins[index + 1] === bin + 1;
    return isFollowed ? [point] : [point, { x: secondsOf(bin + 1), y: 0 }];
  });
}

/** Bytes of each whole second since the origin, in which there were any. The bin that the origin lies in counts to the first second. */
export function sumBySecond({ binMs, bins, bytes }: ByteSeries, originEpochMs: number): Map<number, number> {
  const sums = new Map<number, number>();
  for (const [index, bin] of bins.entries()) {
    const second = Math.max(0, Math.floor((bin * binMs - originEpochMs) / 1000));
    sums.set(second, (sums.get(second) ?? 0) + bytes[index]!);
  }
  return sums;
}
