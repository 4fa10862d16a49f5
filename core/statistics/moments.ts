import { summarizeSample } from './summarize-sample.ts';

/** The mean of ((x − mean) / s)^power, s with divisor n; null where all values are equal. */
function standardMoment(values: readonly number[], power: number): number | null {
  const { count, mean } = summarizeSample(values);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count;
  // Values that are equal but for rounding have no shape.
  const deviation = Math.sqrt(variance);
  if (!(deviation > 1e-12 * Math.abs(mean))) return null;
  // Divided before they are raised: powers of very small values would all be 0.
  return values.reduce((sum, value) => sum + ((value - mean) / deviation) ** power, 0) / count;
}

/**
 * The sample skewness, adjusted for bias: G₁ = g₁ · √(n(n−1)) / (n−2) (Joanes, Gill 1998; scipy's `skew(bias=False)`). 0 for a symmetric sample,
 * above 0 where the long tail is to the right. Null with fewer than 3 values or when all are equal.
 */
export function skewness(values: readonly number[]): number | null {
  const n = values.length;
  const moment = n < 3 ? null : standardMoment(values, 3);
  return moment === null ? null : (moment * Math.sqrt(n * (n - 1))) / (n - 2);
}

/**
 * The excess kurtosis, adjusted for bias: G₂ = (n−1)/((n−2)(n−3)) · ((n+1)·g₂ + 6) (Joanes, Gill 1998; scipy's `kurtosis(bias=False)`). 0 for a normal
 * distribution. Null with fewer than 4 values or when all are equal.
 */
export function excessKurtosis(values: readonly number[]): number | null {
  const n = values.length;
  const moment = n < 4 ? null : standardMoment(values, 4);
  return moment === null ? null : ((n - 1) / ((n - 2) * (n - 3))) * ((n + 1) * (moment - 3) + 6);
}
