import quantile from '@stdlib/stats-base-dists-normal-quantile';
import { sampleQuantile } from './sample-quantile.ts';
import { signedRankDistribution } from './wilcoxon-signed-rank.ts';

const exactUpTo = 50;

/**
 * The Hodges–Lehmann estimate (1963) of the median of paired differences, the median of their Walsh averages (dᵢ + dⱼ) / 2 for i ≤ j, with the interval that the signed-rank test gives
 * (Hollander, Wolfe 1999, 3.3): between the k-th smallest and the k-th largest average, k from the distribution of V: exact up to 50 differences, normal above. As R's
 * `wilcox.test(conf.int = TRUE)` without ties. `low` and `high` are null where the interval cannot be had: below 6 differences at 95 %.
 * Throws RangeError without differences.
 */
export function hodgesLehmann(
  differences: readonly number[],
  confidence: number,
): { value: number; low: number | null; high: number | null } {
  const n = differences.length;
  const averages = new Float64Array((n * (n + 1)) / 2);
  let next = 0;
  for (let i = 0; i < n; i++) for (let j = i; j < n; j++) averages[next++] = (differences[i]! + differences[j]!) / 2;
  averages.sort();
  const value = sampleQuantile(averages, 0.5);
  const rank = intervalRank(n, confidence);
  return rank === 0
    ? { value, low: null, high: null }
    : { value, low: averages[rank - 1]!, high: averages[averages.length - rank]! };
}

/** The largest k with 2 · P(V < k) ≤ α. */
function intervalRank(n: number, confidence: number): number {
  if (n > exactUpTo) {
    const deviation = Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24);
    return Math.max(0, Math.floor((n * (n + 1)) / 4 - quantile((1 + confidence) / 2, 0, 1) * deviation));
  }
  const parts = signedRankDistribution(Array.from({ length: n }, (_, index) => index + 1));
  let rank = 0;
  for (let below = parts[0]!; 2 * below <= (1 - confidence) * (1 + 1e-9); below += parts[rank]!) rank++;
  return rank;
}
