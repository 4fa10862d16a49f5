import cdf from '@stdlib/stats-base-dists-t-cdf';
import quantile from '@stdlib/stats-base-dists-t-quantile';
import { summarizeSample, type SampleSummary } from './summarize-sample.ts';

export interface MeanInterval extends SampleSummary {
  /** Half the width of the interval around the mean; null with fewer than two values. */
  halfWidth: number | null;
}

/**
 * The mean of independent values with its two-sided t interval (Student 1908): mean ± t(1 − α/2, n − 1) · s / √n.
 * `confidence` is 1 − α, such as 0.95. Throws RangeError when the sample is empty.
 */
export function meanInterval(values: readonly number[], confidence: number): MeanInterval {
  const summary = summarizeSample(values);
  const { count, standardDeviation } = summary;
  const halfWidth =
    standardDeviation === null
      ? null
      : (tQuantile((1 + confidence) / 2, count - 1) * standardDeviation) / Math.sqrt(count);
  return { ...summary, halfWidth };
}

/** Kept, for a report asks for the same few of them in every cell, and each takes an iteration to find. */
const known = new Map<number, Map<number, number>>();

/** The p-quantile of Student's t distribution with `degrees` degrees of freedom. */
export function tQuantile(p: number, degrees: number): number {
  let ofP = known.get(p);
  if (!ofP) known.set(p, (ofP = new Map<number, number>()));
  let value = ofP.get(degrees);
  if (value === undefined) ofP.set(degrees, (value = quantile(p, degrees)));
  return value;
}

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
