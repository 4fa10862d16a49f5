import { bimodalAbove, bimodalityCoefficient } from './bimodality-coefficient.ts';
import type { Flag } from './flag.ts';
import { lagOneAutocorrelation } from './lag-one-autocorrelation.ts';
import { mannKendall, type TrendTest } from './mann-kendall.ts';
import { skewness } from './moments.ts';
import { summarizeSample } from './summarize-sample.ts';

export interface Shape {
  skewness: number | null;
  bimodalityCoefficient: number | null;
  lagOneAutocorrelation: number | null;
  trend: TrendTest | null;
  flags: Flag[];
}

const fewRounds = 5;
const roundsForModes = 10;
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
  const raised: Record<Exclude<Flag, 'censored'>, boolean> = {
    'few-rounds': n < fewRounds,
    constant: n > 1 && summarizeSample(values).standardDeviation === 0,
    skewed: shape.skewness !== null && n >= roundsForSkewness && n < 25 * shape.skewness ** 2,
    bimodal: shape.bimodalityCoefficient !== null && n >= roundsForModes && shape.bimodalityCoefficient > bimodalAbove,
    autocorrelated: shape.lagOneAutocorrelation !== null && n >= 10 && shape.lagOneAutocorrelation > autocorrelatedAbove(n),
    trend: shape.trend !== null && shape.trend.p < trendBelowP,
  };
  return { ...shape, flags: (Object.keys(raised) as (keyof typeof raised)[]).filter((flag) => raised[flag]) };
}

/** Of independent values r₁ is about normal around −1/n with deviation 1/√n (Box, Jenkins): one in twenty is above this. */
function autocorrelatedAbove(n: number): number {
  return 1.645 / Math.sqrt(n) - 1 / n;
}
