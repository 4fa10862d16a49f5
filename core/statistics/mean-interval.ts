import { tQuantile } from './t-quantile.ts';
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
