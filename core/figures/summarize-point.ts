import { averagePages, presentValues } from '../comparison/latencies/average-pages.ts';
import { computeReduction } from '../comparison/latencies/compute-reduction.ts';
import { estimateMean } from '../comparison/estimate-mean.ts';
import { assertNever } from '../assert-never.ts';
import type { FigureStatistic } from '../evaluation/figures/figure-choice.ts';
import { sampleQuantile } from '../statistics/sample-quantile.ts';
import { sortNumbers } from '../statistics/sort-numbers.ts';
import type { FigurePoint } from './arranged-figure.ts';
import type { FigureCell } from './gather-measurements.ts';

export type PointSummary = Pick<FigurePoint, 'y' | 'low' | 'high' | 'count'>;

/** As docs/statistics.md has it: at least five Visits are expected beyond the quantile. */
const valuesBeyond = 5;
const highQuantile = 0.95;

/** The statistic of the cells of a point; null where they have none, `too-few-visits` where they are too few for the quantile. */
export function summarizePoint(
  cells: readonly FigureCell[],
  { statistic, confidence, baselineOf }: PointOptions,
): PointSummary | null | 'too-few-visits' {
  switch (statistic) {
    case 'mean':
      return summarizeMean(cells, confidence);
    case 'reduction':
      return summarizeReduction(cells, { confidence, baselineOf });
    case 'min':
      return averageOfPages(cells, (sorted) => sorted[0]!);
    case 'max':
      return averageOfPages(cells, (sorted) => sorted.at(-1)!);
    case 'median':
      return averageOfPages(cells, (sorted) => sampleQuantile(sorted, 0.5));
    case 'p95': {
      const isEnough = visitsByPage(cells).every(({ length }) => length * (1 - highQuantile) >= valuesBeyond - 1e-9);
      return isEnough ? averageOfPages(cells, (sorted) => sampleQuantile(sorted, highQuantile)) : 'too-few-visits';
    }
    default:
      return assertNever(statistic);
  }
}

export interface PointOptions {
  statistic: FigureStatistic;
  confidence: number;
  /** The same page and User Agent under the baseline of its group; null where that has no value, and for the baseline itself. */
  baselineOf: (cell: FigureCell) => FigureCell | null;
}

function summarizeMean(cells: readonly FigureCell[], confidence: number): PointSummary | null {
  const estimate = estimateMean(presentValues(averagePages(cells.map(({ byBlock }) => byBlock))), confidence);
  if (!estimate) return null;
  const { mean, halfWidth, rounds } = estimate;
  return {
    y: mean,
    low: halfWidth === null ? null : mean - halfWidth,
    high: halfWidth === null ? null : mean + halfWidth,
    count: rounds,
  };
}

function summarizeReduction(
  cells: readonly FigureCell[],
  { confidence, baselineOf }: Pick<PointOptions, 'confidence' | 'baselineOf'>,
): PointSummary | null {
  const logRatios = cells.flatMap((cell) => {
    const baseline = baselineOf(cell);
    return baseline ? [cell.byBlock.map((value, block) => logRatio(value, baseline.byBlock[block]!))] : [];
  });
  const reduction = computeReduction(averagePages(logRatios), confidence);
  return reduction && { y: reduction.ratio, low: reduction.low, high: reduction.high, count: reduction.blocks };
}

function logRatio(value: number, baseline: number): number {
  return value > 0 && baseline > 0 ? Math.log(value / baseline) : NaN;
}

/** Of the Visits of each page in each Scenario, averaged over these. */
function averageOfPages(
  cells: readonly FigureCell[],
  statisticOf: (sorted: Float64Array) => number,
): PointSummary | null {
  const pages = visitsByPage(cells);
  if (pages.length === 0) return null;
  return {
    y: pages.reduce((sum, visits) => sum + statisticOf(sortNumbers(visits)), 0) / pages.length,
    low: null,
    high: null,
    count: pages.reduce((sum, { length }) => sum + length, 0),
  };
}

function visitsByPage(cells: readonly FigureCell[]): number[][] {
  const pages = Map.groupBy(cells, ({ scenario, page }) => JSON.stringify([scenario.name, page.page]));
  return [...pages.values()].map((own) => own.flatMap(({ values }) => values));
}
