import cdf from '@stdlib/stats-base-dists-t-cdf';
import { summarizeSample } from './summarize-sample.ts';

/**
 * Student's t test (1908) that the mean of independent values is `mean`, two-sided. Values that are all equal differ from it with certainty, as far as they show (p = 0), or
 * are it (p = 1). Null with fewer than two values.
 */
export function tTest(values: readonly number[], mean = 0): number | null {
  const t = tStatistic(values, mean);
  return t === null ? null : 2 * cdf(-Math.abs(t), values.length - 1);
}

/** One-sided: how probable a mean at least this large is, were the true one `mean`. Null with fewer than two values. */
export function tTestGreater(values: readonly number[], mean: number): number | null {
  const t = tStatistic(values, mean);
  return t === null ? null : cdf(-t, values.length - 1);
}

function tStatistic(values: readonly number[], expected: number): number | null {
  if (values.length < 2) return null;
  const { count, mean, standardDeviation } = summarizeSample(values);
  const difference = mean - expected;
  // Differences that are equal but for rounding are equal: their mean would otherwise be held against the rounding.
  const isConstant = standardDeviation! <= 1e-13 * Math.max(Math.abs(mean), Math.abs(expected));
  if (isConstant)
    return Math.abs(difference) <= 1e-13 * Math.max(1, Math.abs(expected)) ? 0 : Math.sign(difference) * Infinity;
  return difference / (standardDeviation! / Math.sqrt(count));
}
