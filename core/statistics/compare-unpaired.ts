import normalCdf from '@stdlib/stats-base-dists-normal-cdf';
import tCdf from '@stdlib/stats-base-dists-t-cdf';
import quantile from '@stdlib/stats-base-dists-t-quantile';
import type { ValueWithInterval } from './median-interval.ts';
import { summarizeSample } from './summarize-sample.ts';
import { rankValues, type Ranking, type RankTest } from './wilcoxon-signed-rank.ts';

/** Two Scenarios of different Runs. Nothing pairs their Rounds: conditions that changed between the Runs are in every figure. */
export interface UnpairedComparison {
  /** Of the means, sample − reference, by Welch's test; null when one has fewer than two values. */
  difference: WelchComparison | null;
  /** Mann–Whitney, two-sided: of another question, whether one tends to be larger. */
  mannWhitneyP: number;
  /** P(a Round of the sample takes longer) − P(it takes less). */
  cliffsDelta: number;
}

/** Null when one has no values. */
export function compareUnpaired(
  sample: readonly number[],
  reference: readonly number[],
  confidence: number,
): UnpairedComparison | null {
  if (sample.length === 0 || reference.length === 0) return null;
  return {
    difference: welchTest(sample, reference, confidence),
    mannWhitneyP: mannWhitney(sample, reference).p,
    cliffsDelta: cliffsDelta(sample, reference).cliffsDelta,
  };
}

interface Dominance {
  /** Cliff's δ: P(first > second) − P(first < second), from −1 to 1. */
  cliffsDelta: number;
  /** P(first < second) + ½ · P(first = second): how probably a value of the first is the smaller one. */
  probabilityFirstIsSmaller: number;
}

/**
 * How far two samples lie apart, for any distribution, over all pairs of a value of the first and one of the second: Cliff's δ (1993)
 * and the probability of superiority (Grissom 1994; a tie counts half). Throws RangeError when a sample is empty.
 */
export function cliffsDelta(first: readonly number[], second: readonly number[]): Dominance {
  if (first.length === 0 || second.length === 0) throw new RangeError('An empty sample cannot be compared');
  const larger = countLarger(first, rankValues([...first, ...second])) / (first.length * second.length);
  return { cliffsDelta: 2 * larger - 1, probabilityFirstIsSmaller: 1 - larger };
}

/** U: the number of pairs in which the value of the first sample is the larger one, a tie counting half. The ranks are those of both samples, the first before the second. */
function countLarger({ length: n }: readonly number[], { doubledRanks }: Ranking): number {
  return (doubledRanks.subarray(0, n).reduce((sum, rank) => sum + rank, 0) - n * (n + 1)) / 2;
}

const exactUpTo = 40;

/**
 * The Mann–Whitney test (1947) that neither of two independent samples tends to be larger; U is the number of pairs in which that of the first is, a tie
 * counting half. Up to 40 values in all p is exact, with ties too: over all choices of which values are the first sample's (as R's and scipy's exact
 * ones where there are no ties). Above that normal, with ties and continuity corrected, as R's `wilcox.test`. When all values are equal p is 1.
 */
export function mannWhitney(first: readonly number[], second: readonly number[]): RankTest {
  const [n, m] = [first.length, second.length];
  const ranking = rankValues([...first, ...second]);
  const { doubledRanks, ties } = ranking;
  const statistic = countLarger(first, ranking);
  if (n + m <= exactUpTo)
    return { statistic, p: exactP(doubledRanks, { n, doubled: 2 * statistic + n * (n + 1) }), isExact: true };

  const all = n + m;
  const variance = ((n * m) / 12) * (all + 1 - ties.reduce((sum, t) => sum + t ** 3 - t, 0) / (all * (all - 1)));
  if (!(variance > 0)) return { statistic, p: 1, isExact: false };
  return {
    statistic,
    p: 2 * normalCdf(-Math.max(0, Math.abs(statistic - (n * m) / 2) - 0.5) / Math.sqrt(variance), 0, 1),
    isExact: false,
  };
}

function exactP(doubledRanks: Int32Array, { n, doubled }: { n: number; doubled: number }): number {
  const total = doubledRanks.reduce((sum, rank) => sum + rank, 0);
  // ways[k][s]: in how many ways k of the values have the doubled rank sum s.
  const ways = Array.from({ length: n + 1 }, () => new Float64Array(total + 1));
  ways[0]![0] = 1;
  for (const rank of doubledRanks) {
    for (let k = n; k > 0; k--) for (let sum = total; sum >= rank; sum--) ways[k]![sum]! += ways[k - 1]![sum - rank]!;
  }
  const all = ways[n]!.reduce((sum, count) => sum + count, 0);
  const less = ways[n]!.subarray(0, doubled + 1).reduce((sum, count) => sum + count, 0);
  const more = ways[n]!.subarray(doubled).reduce((sum, count) => sum + count, 0);
  return Math.min(1, (2 * Math.min(less, more)) / all);
}

/** The difference of two means with its interval, and the p of the same test: at most 1 − confidence just where 0 is outside the interval. */
interface WelchComparison extends ValueWithInterval {
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
  const standardError = Math.sqrt(variance);
  // Values that are equal but for rounding differ with certainty or not at all, as in Student's test.
  const rounding = 1e-13 * Math.max(Math.abs(a.mean), Math.abs(b.mean));
  if (standardError <= rounding) return { value, low: value, high: value, p: Math.abs(value) <= rounding ? 1 : 0 };
  const degrees = variance ** 2 / (partA ** 2 / (a.count - 1) + partB ** 2 / (b.count - 1));
  const halfWidth = quantile((1 + confidence) / 2, degrees) * standardError;
  return {
    value,
    low: value - halfWidth,
    high: value + halfWidth,
    p: 2 * tCdf(-Math.abs(value) / standardError, degrees),
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
