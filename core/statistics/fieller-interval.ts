import { tQuantile } from './mean-interval.ts';
import { summarizeSample } from './summarize-sample.ts';

export interface RatioInterval {
  count: number;
  /** mean(x) / mean(y). */
  ratio: number;
  /** Null with fewer than two pairs, and where the mean of y is not distinct from 0: the interval has no bounds then. */
  low: number | null;
  high: number | null;
}

/**
 * The ratio of the means of pairs (x, y) with Fieller's interval (1954): all ratios ρ for which a paired t test does not reject that x − ρ·y has mean 0. Exact
 * where x − ρ·y is normal. Throws RangeError without pairs.
 */
export function fiellerInterval(pairs: readonly { x: number; y: number }[], confidence: number): RatioInterval {
  const [xs, ys] = [pairs.map(({ x }) => x), pairs.map(({ y }) => y)];
  const [ofX, ofY] = [summarizeSample(xs), summarizeSample(ys)];
  const { count, mean: meanX } = ofX;
  const { mean: meanY } = ofY;
  const ratio = meanX / meanY;
  if (ofX.standardDeviation === null || ofY.standardDeviation === null) return { count, ratio, low: null, high: null };
  // Relative to the means, so that no product of latencies is beyond all numbers.
  const covariance = pairs.reduce((sum, { x, y }) => sum + (x / meanX - 1) * (y / meanY - 1), 0) / (count - 1);
  const g = tQuantile((1 + confidence) / 2, count - 1) ** 2 / count;
  const [varianceX, varianceY] = [(ofX.standardDeviation / meanX) ** 2, (ofY.standardDeviation / meanY) ** 2];
  const [a, b, c] = [1 - g * varianceY, 1 - g * covariance, 1 - g * varianceX];
  if (!(a > 0)) return { count, ratio, low: null, high: null };
  const root = Math.sqrt(Math.max(0, b * b - a * c));
  return { count, ratio, low: (ratio * (b - root)) / a, high: (ratio * (b + root)) / a };
}
