import type { ComparedOutcome } from '#core/comparison/outcome/run-outcome.ts';

/** Where an outcome is drawn: between −1, the left end of the axis, and 1, its right end. 0 is the baseline. */
export interface OutcomePlaces {
  point: number;
  low: number | null;
  high: number | null;
  /** The interval continues beyond the axis. */
  isCutLow: boolean;
  isCutHigh: boolean;
  /** The effect itself is beyond the axis, and not only an end of its interval. */
  isBeyond: boolean;
  /** Differences that are too small to matter; null where there is no margin. */
  band: { low: number; high: number } | null;
}

const leastReach = 0.1;
const mostReach = 0.5;

/** How far one axis reaches to both sides, so that the marks of a list can be compared: over all intervals, within limits. */
export function reachOf(outcomes: readonly ComparedOutcome[]): number {
  const ends = outcomes.flatMap(({ ratio, low, high, margin }) => [
    ...[ratio, low, high].flatMap((value) => (value === null ? [] : [Math.abs(value)])),
    ...(margin === null ? [] : [margin / (1 - margin)]),
  ]);
  return Math.min(mostReach, Math.max(leastReach, ...ends) * 1.05);
}

/** Null where there is nothing to draw. */
export function placeOutcome({ ratio, low, high, margin }: ComparedOutcome, reach: number): OutcomePlaces | null {
  if (ratio === null) return null;
  const place = (value: number) => Math.max(-1, Math.min(1, value / reach));
  return {
    point: place(ratio),
    low: low === null ? null : place(low),
    high: high === null ? null : place(high),
    isCutLow: low !== null && low < -reach,
    isCutHigh: high !== null && high > reach,
    isBeyond: Math.abs(ratio) > reach,
    band: margin === null ? null : { low: place(-margin / (1 - margin)), high: place(margin) },
  };
}
