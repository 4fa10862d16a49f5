import type { LatencyId } from '../../metrics/index.ts';
import { averagePages, presentValues } from '../latencies/compute-reduction.ts';
import type { Estimate, ScenarioComparison } from '../comparison.ts';
import { describeDistribution, type Distribution } from '../latencies/describe-distribution.ts';
import { estimateMean } from '../estimate.ts';
import { zeroCounts, type CellData, type VisitCounts } from './gather-cells.ts';
import quantile from '@stdlib/stats-base-dists-normal-quantile';

interface DescribeOptions {
  counts: VisitCounts;
  hasEcdf: boolean;
  metric: LatencyId;
  confidence: number;
}

type Described = Pick<ScenarioComparison, keyof VisitCounts | 'failures' | 'timeouts'> & {
  estimate: Estimate | null;
  distribution: Distribution | null;
};

/** The mean of some cells, taken together, and how their values are distributed. */
export function describeCells(
  cells: readonly CellData[],
  { counts, hasEcdf, metric, confidence }: DescribeOptions,
): Described {
  const rounds = presentValues(averagePages(cells.map(({ byBlock }) => byBlock)));
  // A page that never settled has no total latency: it would have had a large one.
  const isCensored = counts.timedOutVisits > 0 || (metric === 'totalMs' && counts.absentVisits > 0);
  const partOf = (count: number) =>
    counts.visits === 0 ? null : wilsonInterval({ count, of: counts.visits }, confidence);
  return {
    ...counts,
    failures: partOf(counts.failedVisits),
    timeouts: partOf(counts.timedOutVisits),
    estimate: estimateMean(rounds, confidence),
    distribution:
      rounds.length === 0
        ? null
        : describeDistribution({
            rounds,
            visits: joinValues(cells),
            confidence,
            isCensored,
            hasEcdf,
          }),
  };
}

function joinValues(cells: readonly CellData[]): Float64Array {
  const joined = new Float64Array(cells.reduce((sum, { values }) => sum + values.length, 0));
  let length = 0;
  for (const { values } of cells) {
    joined.set(values, length);
    length += values.length;
  }
  return joined;
}

export function sumCounts(cells: readonly CellData[]): VisitCounts {
  const sum = zeroCounts();
  for (const { counts } of cells)
    for (const name of Object.keys(sum) as (keyof VisitCounts)[]) sum[name] += counts[name];
  return sum;
}

interface Proportion {
  count: number;
  of: number;
  /** Between 0 and 1, as are the ends of its interval. */
  ratio: number;
  low: number;
  high: number;
}

/**
 * A part of independent trials with Wilson's score interval (Wilson 1927), without correction for continuity, as in R's `prop.test(correct = FALSE)`. Unlike the
 * usual one it is right for few trials and near 0 and 1: none of 10 gives 0 to 0.28. Throws RangeError without trials.
 */
export function wilsonInterval({ count, of }: { count: number; of: number }, confidence: number): Proportion {
  if (!(of > 0)) throw new RangeError('A part of nothing is undefined');
  const z = quantile((1 + confidence) / 2, 0, 1);
  const ratio = count / of;
  const centre = (ratio + z ** 2 / (2 * of)) / (1 + z ** 2 / of);
  const halfWidth = (z / (1 + z ** 2 / of)) * Math.sqrt((ratio * (1 - ratio)) / of + z ** 2 / (4 * of ** 2));
  // At the ends the formula gives 0 and 1 but for rounding.
  return { count, of, ratio, low: count === 0 ? 0 : centre - halfWidth, high: count === of ? 1 : centre + halfWidth };
}
