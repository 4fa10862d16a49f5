import cdf from '@stdlib/stats-base-dists-t-cdf';
import quantile from '@stdlib/stats-base-dists-t-quantile';
import type { ValueWithInterval } from './median-interval.ts';
import { summarizeSample } from './summarize-sample.ts';

/** The difference of two means with its interval, and the p of the same test: at most 1 − confidence just where 0 is outside the interval. */
export interface WelchComparison extends ValueWithInterval {
  /** Two-sided. */
  p: number;
}

/**
 * The difference of the means of two independent samples, first − second, by Welch's test (1947): variances may differ, the degrees of freedom are
 * Satterthwaite's. Null when one has fewer than two values.
 */
export function welchTest(
  first: readonly number[],
  second: readonly number[],
  confidence: number,
): WelchComparison | null {
  if (first.length < 2 || second.length < 2) return null;
  const [a, b] = [summarizeSample(first), summarizeSample(second)];
  const [partA, partB] = [a.standardDeviation! ** 2 / a.count, b.standardDeviation! ** 2 / b.count];
  const value = a.mean - b.mean;
  const variance = partA + partB;
  if (variance === 0) return { value, low: value, high: value, p: value === 0 ? 1 : 0 };
  const degrees = variance ** 2 / (partA ** 2 / (a.count - 1) + partB ** 2 / (b.count - 1));
  const standardError = Math.sqrt(variance);
  const halfWidth = quantile((1 + confidence) / 2, degrees) * standardError;
  return {
    value,
    low: value - halfWidth,
    high: value + halfWidth,
    p: 2 * cdf(-Math.abs(value) / standardError, degrees),
  };
}

/** The same without its p. */
export function welchInterval(
  first: readonly number[],
  second: readonly number[],
  confidence: number,
): ValueWithInterval | null {
  const tested = welchTest(first, second, confidence);
  return tested && { value: tested.value, low: tested.low, high: tested.high };
}
