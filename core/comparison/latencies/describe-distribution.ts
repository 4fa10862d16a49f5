import { findFlags } from './find-flags.ts';
import { FlagSchema } from './flag.ts';
import { medianInterval } from '../../statistics/median-interval.ts';
import { sampleQuantile, sortNumbers, ecdf } from '../../statistics/sample-quantile.ts';
import {
  absent,
  statisticOf,
  type Interval,
  type Statistic,
  EcdfSchema,
  IntervalSchema,
  StatisticSchema,
  TrendSchema,
} from './statistic.ts';
import { summarizeSample } from '../../statistics/summarize-sample.ts';
import { z } from 'zod';

/** How the values of a cell are distributed. Of Rounds: one value each, in order of the Blocks; of Visits: each its own value. */
export const DistributionSchema = z.object({
  /** Of Rounds, with its exact order-statistic interval. */
  median: IntervalSchema,
  /** Of Visits (type 7), where at least 5 lie beyond: from 20 Visits, from 100. */
  p75: StatisticSchema,
  p95: StatisticSchema,
  /** Standard deviation over mean, of Rounds. */
  coefficientOfVariation: StatisticSchema,
  /** Of Rounds, as are those below. */
  skewness: StatisticSchema,
  bimodalityCoefficient: StatisticSchema,
  lagOneAutocorrelation: StatisticSchema,
  trend: TrendSchema,
  /** Of Visits; at most 50 steps. */
  ecdf: EcdfSchema,
  flags: z.array(FlagSchema),
});
export type Distribution = z.infer<typeof DistributionSchema>;

const ecdfPoints = 50;
const valuesBeyond = 5;

interface Sample {
  /** One value per Round, in the order of the Blocks. At least one. */
  rounds: readonly number[];
  /** One per Visit. */
  visits: ArrayLike<number>;
  confidence: number;
  /** Visits are missing because they did not end in time. */
  isCensored: boolean;
  /** False where the report would become too large. */
  hasEcdf: boolean;
}

/** Median, quantiles, spread, shape and distribution of a cell. */
export function describeDistribution({ rounds, visits, confidence, isCensored, hasEcdf }: Sample): Distribution {
  const { mean, standardDeviation } = summarizeSample(rounds);
  const { flags, ...shape } = findFlags(rounds);
  const sorted = sortNumbers(visits);
  const shapeReason = rounds.length < 4 ? 'too-few-rounds' : 'no-variation';
  return {
    median: describeMedian(rounds, confidence),
    p75: describeQuantile(sorted, 0.75),
    p95: describeQuantile(sorted, 0.95),
    coefficientOfVariation: statisticOf(
      standardDeviation === null || mean === 0 ? null : standardDeviation / mean,
      standardDeviation === null ? 'too-few-rounds' : 'no-variation',
    ),
    skewness: statisticOf(shape.skewness, shapeReason),
    bimodalityCoefficient: statisticOf(shape.bimodalityCoefficient, shapeReason),
    lagOneAutocorrelation: statisticOf(shape.lagOneAutocorrelation, shapeReason),
    trend: shape.trend ? { kind: 'measured', ...shape.trend } : absent(shapeReason),
    ecdf: hasEcdf ? { kind: 'measured', points: ecdf(sorted, ecdfPoints) } : absent('left-out-for-size'),
    flags: isCensored ? [...flags, 'censored'] : flags,
  };
}

function describeMedian(rounds: readonly number[], confidence: number): Interval {
  const interval = medianInterval(rounds, confidence) ?? {
    value: sampleQuantile(sortNumbers(rounds), 0.5),
    low: null,
    high: null,
  };
  return { kind: 'measured', ...interval };
}

/** A quantile that at least five values are expected to lie beyond: below that it says more of the largest of them than of the distribution. */
function describeQuantile(sorted: Float64Array, p: number): Statistic {
  return sorted.length * (1 - p) < valuesBeyond - 1e-9
    ? absent('too-few-visits')
    : { kind: 'measured', value: sampleQuantile(sorted, p) };
}
