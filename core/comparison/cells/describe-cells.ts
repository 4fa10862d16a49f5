import type { LatencyId } from '../../metrics/catalogue.ts';
import { averagePages, presentValues } from '../latencies/average-pages.ts';
import type { Estimate, ScenarioComparison } from '../comparison.ts';
import { describeDistribution } from '../latencies/describe-distribution.ts';
import type { Distribution } from '../latencies/distribution.ts';
import { estimateMean } from '../estimate-mean.ts';
import { zeroCounts, type CellData, type VisitCounts } from './gather-cells.ts';
import { wilsonInterval } from '../../statistics/wilson-interval.ts';

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
            visits: cells.flatMap(({ values }) => values),
            confidence,
            isCensored,
            hasEcdf,
          }),
  };
}

export function sumCounts(cells: readonly CellData[]): VisitCounts {
  const sum = zeroCounts();
  for (const { counts } of cells)
    for (const name of Object.keys(sum) as (keyof VisitCounts)[]) sum[name] += counts[name];
  return sum;
}
