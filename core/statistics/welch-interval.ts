import quantile from '@stdlib/stats-base-dists-t-quantile';
import type { ValueWithInterval } from './median-interval.ts';
import { summarizeSample } from './summarize-sample.ts';

/**
 * The difference of the means of two independent samples, first − second, with Welch's interval (1947): variances may differ, the degrees of freedom are
 * Satterthwaite's. Null when one has fewer than two values.
 */
export function welchInterval(
  first: readonly number[],
  second: readonly number[],
  confidence: number,
): ValueWithInterval | null {
  if (first.length < 2 || second.length < 2) return null;
  const [a, b] = [summarizeSample(first), summarizeSample(second)];
  const [partA, partB] = [a.standardDeviation! ** 2 / a.count, b.standardDeviation! ** 2 / b.count];
  const value = a.mean - b.mean;
  const variance = partA + partB;
  if (variance === 0) return { value, low: value, high: value };
  const degrees = variance ** 2 / (partA ** 2 / (a.count - 1) + partB ** 2 / (b.count - 1));
  const halfWidth = quantile((1 + confidence) / 2, degrees) * Math.sqrt(variance);
  return { value, low: value - halfWidth, high: value + halfWidth };
}
