import { bimodalAbove, bimodalityCoefficient } from '../../statistics/bimodality-coefficient.ts';
import type { Flag } from './flag.ts';
import { lagOneAutocorrelation } from '../../statistics/lag-one-autocorrelation.ts';
import { mannKendall, type TrendTest } from '../../statistics/mann-kendall.ts';
import { skewness } from '../../statistics/moments.ts';
import { summarizeSample } from '../../statistics/summarize-sample.ts';

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
