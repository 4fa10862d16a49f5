import { sortNumbers } from './sample-quantile.ts';

export interface Dominance {
  /** Cliff's δ: P(first > second) − P(first < second), from −1 to 1. */
  cliffsDelta: number;
  /** P(first < second) + ½ · P(first = second): how probably a value of the first is the smaller one. */
  probabilityFirstIsSmaller: number;
}

/**
 * How far two samples lie apart, for any distribution, over all pairs of a value of the first and one of the second: Cliff's δ (1993)
 * and the probability of superiority (Grissom 1994; a tie counts half). Throws RangeError when a sample is empty.
 */
export function cliffsDelta(first: readonly number[], second: readonly number[]): Dominance {
  if (first.length === 0 || second.length === 0) throw new RangeError('An empty sample cannot be compared');
  const sorted = sortNumbers(second);
  let [smaller, larger] = [0, 0];
  let [below, upTo] = [0, 0];
  for (const value of sortNumbers(first)) {
    while (below < sorted.length && sorted[below]! < value) below++;
    while (upTo < sorted.length && sorted[upTo]! <= value) upTo++;
    larger += below;
    smaller += sorted.length - upTo;
  }
  const pairs = first.length * second.length;
  return { cliffsDelta: (larger - smaller) / pairs, probabilityFirstIsSmaller: (1 + (smaller - larger) / pairs) / 2 };
}
