export interface SampleSummary {
  count: number;
  mean: number;
  /** Corrected for the sample (n − 1); null with fewer than two values. */
  standardDeviation: number | null;
}

/**
 * Count, mean and standard deviation of a sample, by the corrected two-pass algorithm (Chan, Golub, LeVeque 1983), which stays exact where the
 * values are large and close together. Throws RangeError when the sample is empty.
 */
export function summarizeSample(values: readonly number[]): SampleSummary {
  const count = values.length;
  if (count === 0) throw new RangeError('An empty sample has no mean');
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const residual = values.reduce((sum, value) => sum + (value - mean), 0);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return {
    count,
    mean: mean + residual / count,
    standardDeviation: count > 1 ? Math.sqrt((squares - residual ** 2 / count) / (count - 1)) : null,
  };
}

/** The least and the greatest value, of any number of them; infinite without any. */
export function extentOf(values: Iterable<number>): [least: number, most: number] {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
  return [least, most];
}
