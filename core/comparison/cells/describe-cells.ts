import type { LatencyId } from '../../metrics/index.ts';
import type { UserCellPage, UserCellSearch } from '../../protocol/api/user-cells.ts';
import { baselinesOf, type ComparedGroup } from '../compared-group.ts';
import {
  averagePages,
  presentValues,
  computeReduction,
  logRatiosByBlock,
  pairPages,
} from '../latencies/compute-reduction.ts';
import type { Estimate, ScenarioComparison, Cell } from '../comparison.ts';
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

type Described = Pick<ScenarioComparison, Exclude<keyof VisitCounts, 'unfinishedVisits'> | 'failures' | 'timeouts'> & {
  estimate: Estimate | null;
  distribution: Distribution | null;
};

/** The mean of some cells, taken together, and how their values are distributed. */
export function describeCells(
  cells: readonly CellData[],
  { counts: { unfinishedVisits, ...counts }, hasEcdf, metric, confidence }: DescribeOptions,
): Described {
  const rounds = presentValues(averagePages(cells.map(({ byBlock }) => byBlock)));
  // A page that never settled has no total latency: it would have had a large one.
  const isCensored = counts.timedOutVisits > 0 || (metric === 'totalMs' && unfinishedVisits > 0);
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

interface ListedCells {
  scenarios: string[];
  baseline: string;
  groups?: readonly ComparedGroup[] | undefined;
  /** In the order of the Evaluation. */
  urls: { url: string; label: string; variables: Record<string, number> }[];
  confidence: number;
  metric: LatencyId;
  /** Whose cells they are; null pools them all, and compares each with that of its baseline. */
  userAgent: string | null;
  /** Whether each has its distribution function. */
  hasEcdf: boolean;
}

/** URL × Scenario, of what was measured. */
export function listCells(
  cells: readonly CellData[],
  { userAgent, hasEcdf, metric, confidence, ...design }: ListedCells,
): Cell[] {
  const baselines = baselinesOf(design);
  const byUrl = Map.groupBy(cells, ({ url }) => url);
  return design.urls.flatMap((page) => {
    const byArm = Map.groupBy(byUrl.get(page.url) ?? [], ({ scenario }) => scenario);
    return design.scenarios.flatMap((scenario): Cell[] => {
      const own = byArm.get(scenario) ?? [];
      if (own.length === 0) return [];
      const baseline = baselines.get(scenario)!;
      const isContrasted = userAgent === null && scenario !== baseline;
      return [
        {
          scenario,
          userAgent,
          ...page,
          ...describeCells(own, { counts: sumCounts(own), hasEcdf, metric, confidence }),
          reduction: isContrasted
            ? computeReduction(logRatiosByBlock(pairPages(own, byArm.get(baseline) ?? [])), confidence)
            : null,
        },
      ];
    });
  });
}

/** Some of the URLs of these cells, in the order of the search; those without a mean under its Scenario come last either way. */
export function pageCells(
  cells: readonly Cell[],
  { sort, order, after, url, limit }: Pick<UserCellSearch, 'sort' | 'order' | 'after' | 'url'> & { limit: number },
): UserCellPage {
  const found = [...Map.groupBy(cells, (cell) => cell.url).values()].filter(
    ([first]) => url === undefined || first!.url === url,
  );
  const direction = order === 'descending' ? -1 : 1;
  const meanOf = (row: readonly Cell[]) => row.find(({ scenario }) => scenario === sort)?.estimate?.mean ?? null;
  const sorted =
    sort === undefined
      ? order === 'descending'
        ? found.toReversed()
        : found
      : found.toSorted((one, other) => {
          const [a, b] = [meanOf(one), meanOf(other)];
          if (a === null || b === null) return Number(a === null) - Number(b === null);
          return direction * (a - b);
        });
  const end = after + limit;
  return {
    cells: sorted.slice(after, end).flat(),
    urls: found.length,
    next: end < found.length ? end : null,
  };
}
