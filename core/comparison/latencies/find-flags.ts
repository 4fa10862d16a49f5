import type { Flag } from './flag.ts';
import { mannKendall, type TrendTest } from '../../statistics/mann-kendall.ts';
import { summarizeSample } from '../../statistics/summarize-sample.ts';

/** That of the uniform distribution; a sample above it is flagged. */
const bimodalAbove = 5 / 9;

export interface Shape {
  skewness: number | null;
  bimodalityCoefficient: number | null;
  lagOneAutocorrelation: number | null;
  trend: TrendTest | null;
  flags: Flag[];
}

const fewRounds = 5;
const roundsForModes = 10;
const roundsForAutocorrelation = 10;
const roundsForSkewness = 20;
const trendBelowP = 0.01;

/** The shape of one value per Round, in the order of the Blocks, and what of it a reader should know. */
export function findFlags(values: readonly number[]): Shape {
  const n = values.length;
  const shape = {
    skewness: skewness(values),
    bimodalityCoefficient: bimodalityCoefficient(values),
    lagOneAutocorrelation: lagOneAutocorrelation(values),
    trend: mannKendall(values),
  };
  const isSkewed = shape.skewness !== null && n >= roundsForSkewness && n < 25 * shape.skewness ** 2;
  const raised: Record<Exclude<Flag, 'censored' | 'busy-host'>, boolean> = {
    'few-rounds': n < fewRounds,
    constant: isConstant(values),
    skewed: isSkewed,
    // A long tail alone raises the coefficient too.
    bimodal:
      shape.bimodalityCoefficient !== null &&
      n >= roundsForModes &&
      shape.bimodalityCoefficient > bimodalAbove &&
      !isSkewed,
    autocorrelated: isAutocorrelated(values),
    trend: shape.trend !== null && shape.trend.p < trendBelowP,
  };
  return { ...shape, flags: (Object.keys(raised) as (keyof typeof raised)[]).filter((flag) => raised[flag]) };
}

/** Whether r₁ is larger than in one of twenty samples of independent values, where it is about normal around −1/n with deviation 1/√n (Box, Jenkins). */
export function isAutocorrelated(values: readonly number[]): boolean {
  const n = values.length;
  const correlation = n < roundsForAutocorrelation ? null : lagOneAutocorrelation(values);
  return correlation !== null && correlation > 1.645 / Math.sqrt(n) - 1 / n;
}

/** Equal but for the rounding of what they were averaged from. */
function isConstant(values: readonly number[]): boolean {
  const { mean, standardDeviation } = summarizeSample(values);
  return standardDeviation !== null && standardDeviation <= 1e-12 * Math.abs(mean);
}

/**
 * How much a value follows the one before it: r₁ = Σ(xₜ − m)(xₜ₊₁ − m) / Σ(xₜ − m)² (Box, Jenkins; R's `acf`). Of independent values it is
 * about −1/n, give or take 1/√n. Null with fewer than 3 values or when all are equal.
 */
export function lagOneAutocorrelation(values: readonly number[]): number | null {
  if (values.length < 3) return null;
  const { mean, standardDeviation } = summarizeSample(values);
  if (!(standardDeviation! > 1e-12 * Math.abs(mean))) return null;
  const products = values.slice(1).reduce((sum, value, index) => sum + (value - mean) * (values[index]! - mean), 0);
  return products / values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}

/**
 * The bimodality coefficient (SAS/STAT; Pfister et al. 2013): (G₁² + 1) / (G₂ + 3(n−1)² / ((n−2)(n−3))), from 0 to 1: 1/3 for a normal distribution, 5/9 for a uniform
 * one, 1 for two points. A strong skew with a light tail raises it too, so a flag says "look at the distribution", not "there are two modes".
 * Null with fewer than 4 values or when all are equal.
 */
export function bimodalityCoefficient(values: readonly number[]): number | null {
  const n = values.length;
  const [skew, kurtosis] = [skewness(values), excessKurtosis(values)];
  if (skew === null || kurtosis === null) return null;
  return (skew ** 2 + 1) / (kurtosis + (3 * (n - 1) ** 2) / ((n - 2) * (n - 3)));
}

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
