import cdf from '@stdlib/stats-base-dists-normal-cdf';
import { rankValues } from './wilcoxon-signed-rank.ts';

export interface TrendTest {
  /** Kendall's τ-b of the values against time, from −1 (always falling) to 1 (always rising). */
  tau: number;
  /** Two-sided. */
  p: number;
}

const exactUpTo = 60;

/**
 * Mann–Kendall test of a trend (Mann 1945; Kendall 1975): S = Σ sign(xⱼ − xᵢ) over i < j. Up to 60 values without ties p is exact, from the number of
 * permutations with as many inversions; otherwise from the normal distribution with the variance corrected for ties and S for continuity. As R's
 * `cor.test(method = "kendall", continuity = TRUE)`. Null with fewer than 3 values or when all are equal.
 */
export function mannKendall(values: readonly number[]): TrendTest | null {
  const n = values.length;
  const pairs = (n * (n - 1)) / 2;
  let score = 0;
  const { doubledRanks: ranks, ties } = rankValues(values);
  for (let later = 1; later < n; later++)
    for (let earlier = 0; earlier < later; earlier++) score += Math.sign(ranks[later]! - ranks[earlier]!);

  const tiedPairs = ties.reduce((sum, t) => sum + (t * (t - 1)) / 2, 0);
  if (n < 3 || tiedPairs === pairs) return null;
  const tau = score / Math.sqrt(pairs * (pairs - tiedPairs));
  if (tiedPairs === 0 && n <= exactUpTo) return { tau, p: exactP(n, (pairs - Math.abs(score)) / 2) };

  const variance = (n * (n - 1) * (2 * n + 5) - ties.reduce((sum, t) => sum + t * (t - 1) * (2 * t + 5), 0)) / 18;
  return { tau, p: 2 * cdf(-Math.max(0, Math.abs(score) - 1) / Math.sqrt(variance), 0, 1) };
}

/** Twice the part of all permutations of n that have at most `inversions` inversions. */
function exactP(n: number, inversions: number): number {
  let parts = inversionParts.get(n);
  if (!parts) inversionParts.set(n, (parts = countInversions(n)));
  return Math.min(1, 2 * parts.subarray(0, inversions + 1).reduce((sum, part) => sum + part, 0));
}

/** Kept, for a report asks for the same n in every cell. */
const inversionParts = new Map<number, Float64Array>();

/** By number of inversions: the part of all permutations of n that has it. */
function countInversions(n: number): Float64Array {
  // parts[k]: the part of the permutations of the first `size` values with k inversions; the next value brings 0 to `size` more, each as likely.
  let parts = Float64Array.of(1);
  for (let size = 1; size < n; size++) {
    const next = new Float64Array(parts.length + size);
    let window = 0;
    for (let k = 0; k < next.length; k++) {
      window += (parts[k] ?? 0) - (parts[k - size - 1] ?? 0);
      next[k] = window / (size + 1);
    }
    parts = next;
  }
  return parts;
}
