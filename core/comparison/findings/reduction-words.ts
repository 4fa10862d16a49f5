import type { Reduction } from '../comparison.ts';
import { percent } from './finding-words.ts';

/** A reduction and its interval, which one Block cannot give. */
export type BoundedReduction = Pick<Reduction, 'ratio' | 'low' | 'high'>;

/** More than twice as much time is easier to grasp as a factor than in percent. */
export const isFactor = (reduction: number) => reduction < -1;

/** `34 % less time`, or `14 × as much time`: a time that is 34 % shorter is not 34 % faster. */
export function changeOf(reduction: number): string {
  return `${sizeOf(reduction)} time`;
}

/** `34 % less time to load than`, or `14 × as much time to load as`. `what` is between the time and what it is compared with. */
export function changeAgainst(reduction: number, what = ''): string {
  return `${changeOf(reduction)}${what} ${isFactor(reduction) ? 'as' : 'than'}`;
}

/** `between 5.1 % more and 2.0 % less time`, or `between 14 × as much and 2.0 % less time`. */
export function changeBetween(low: number, high: number): string {
  if (low >= 0 !== high >= 0) return `between ${sizeOf(low)} and ${changeOf(high)}`;
  return isFactor(low)
    ? `between ${factorOf(low)} × and ${factorOf(high)} × as much time`
    : `between ${percent(Math.abs(low))} % and ${changeOf(high)}`;
}

/** The interval beside its reduction: `24–30 %`, `12–16 ×` beside a factor, or `1.2 % more to 30 % less` where both are possible. */
export function rangeOf({ ratio, low, high }: { ratio: number; low: number; high: number }, between = '–'): string {
  if (low < 0 && high > 0) return `${sizeOf(low)} to ${sizeOf(high)}`;
  if (isFactor(ratio)) return `${factorOf(high)}${between}${factorOf(low)} ×`;
  const [from, to] = [Math.abs(low), Math.abs(high)].sort((one, other) => one - other);
  return `${percent(from!)}${between}${percent(to!)} %`;
}

/** A reduction for a table: `27 % less`, and its interval `24 to 30 %`. */
export function describeReduction({ ratio, low, high }: BoundedReduction): { shown: string; range: string } {
  return {
    shown: percent(Math.abs(ratio)) === '0' ? '0 %' : sizeOf(ratio),
    range: low === null || high === null ? 'no interval' : rangeOf({ ratio, low, high }, ' to '),
  };
}

/** Both in one text: `27 % less (24 to 30 %)`. */
export function formatReduction(reduction: BoundedReduction): string {
  const { shown, range } = describeReduction(reduction);
  return reduction.low === null || reduction.high === null ? `${shown}, ${range}` : `${shown} (${range})`;
}

function sizeOf(reduction: number): string {
  if (isFactor(reduction)) return `${factorOf(reduction)} × as much`;
  return `${percent(Math.abs(reduction))} % ${reduction >= 0 ? 'less' : 'more'}`;
}

/** What the time of the baseline is multiplied by, with as many digits as a percentage has. */
function factorOf(reduction: number): string {
  const factor = 1 - reduction;
  return factor < 9.95 ? factor.toFixed(1) : factor.toFixed(0);
}
