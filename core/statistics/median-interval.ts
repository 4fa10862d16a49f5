import cdf from '@stdlib/stats-base-dists-binomial-cdf';
import { sampleQuantile, sortNumbers } from './sample-quantile.ts';

export interface ValueWithInterval {
  value: number;
  low: number;
  high: number;
}

/**
 * The median of independent values with the interval between the r-th smallest and the r-th largest of them, r being the largest with
 * 2 · P(B < r) ≤ α for B binomial (n, ½): exact for any distribution, and therefore covering at least as often as requested (Thompson 1936; as R's `qbinom` gives it).
 * Null where even the extremes do not suffice: below 6 values at 95 %.
 */
export function medianInterval(values: readonly number[], confidence: number): ValueWithInterval | null {
  const sorted = sortNumbers(values);
  const rank = intervalRank(sorted.length, confidence);
  return rank === 0
    ? null
    : { value: sampleQuantile(sorted, 0.5), low: sorted[rank - 1]!, high: sorted[sorted.length - rank]! };
}

function intervalRank(count: number, confidence: number): number {
  let rank = 0;
  // One part in 10⁹ more, for 1 − 0.9375 and its like are not exact in binary.
  while (rank < count / 2 && 2 * cdf(rank, count, 0.5) <= (1 - confidence) * (1 + 1e-9)) rank++;
  return rank;
}
