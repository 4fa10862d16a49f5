import {
  isNumeric,
  listDimensions,
  type DimensionValue,
  type FigureStatistic,
} from '../../../core/evaluation/figures/figure-choice.ts';
import { isMeasure, type MeasureId } from '../../../core/metrics/measures.ts';
import {
  type ArrangedFigure,
  type FigurePanel,
  type FigurePoint,
  type FigureSeries,
  fitLine,
} from './arranged-figure.ts';
import type { CompleteChoice } from './complete-choice.ts';
import {
  type FigureCell,
  gatherMeasurements,
  groupByPlace,
  keepCommonPages,
  orderPlaces,
  valueOf,
} from './gather-measurements.ts';
import type { Measurements } from '../../../core/record/measurements.ts';
import {
  computeReduction,
  averagePages,
  logRatio,
  presentValues,
} from '../../../core/comparison/latencies/compute-reduction.ts';
import { estimateMean } from '../../../core/comparison/estimate.ts';
import { assertNever } from '../../../core/assert-never.ts';
import { sampleQuantile, sortNumbers, ecdf } from '../../../core/statistics/sample-quantile.ts';

type PointSummary = Pick<FigurePoint, 'y' | 'low' | 'high' | 'count'>;

/** As docs/statistics.md has it: at least five Visits are expected beyond the quantile. */
const valuesBeyond = 5;
const highQuantile = 0.95;

interface PointOptions {
  statistic: FigureStatistic;
  confidence: number;
  /** The same page and User Agent under the baseline of its group; null where that has no value, and for the baseline itself. */
  baselineOf: (cell: FigureCell) => FigureCell | null;
}

const distributionPoints = 200;

/** Measures whose values a figure is made of. */
export function measuresOf({ y, x, kind }: CompleteChoice): MeasureId[] {
  return kind === 'scatter' && x !== null && isMeasure(x) && x !== y ? [y, x] : [y];
}

/** The numbers of a figure: panels, series in them, points in these, each in the order of the design. */
export function arrangeFigure(measurements: Measurements, choice: CompleteChoice): ArrangedFigure {
  const { design } = measurements;
  const dimensions = listDimensions(design);
  const all = gatherMeasurements(measurements, choice.y);
  const shown = all.filter((cell) =>
    Object.entries(choice.only).every(([name, values]) => values.includes(valueOf(name, cell) ?? NaN)),
  );
  const axes = [...(choice.x === null ? [] : [choice.x]), ...choice.series, ...choice.panels];
  const compared = choice.statistic === 'reduction' || choice.kind === 'scatter' ? shown : keepCommonPages(shown, axes);
  const maker = new SeriesMaker(measurements, { choice, all });
  const orderOf = (names: readonly string[]) => orderPlaces(names.map((name) => dimensions.get(name) ?? []));
  const panels = groupByPlace(compared, choice.panels, orderOf(choice.panels)).map(
    ({ values, cells }): FigurePanel => ({
      values,
      series: groupByPlace(cells, choice.series, orderOf(choice.series))
        .map((series) => maker.make(series.values, series.cells))
        .filter(({ points }) => points.length > 0),
    }),
  );
  const drawn = panels.filter(({ series }) => series.length > 0);
  return {
    choice,
    countedFrom: measurements.countedFrom ?? 'navigation-start',
    confidence: design.confidence,
    places: placesOf(choice, { drawn, values: dimensions.get(choice.x ?? '') ?? [] }),
    panels: drawn,
    leftOutPoints: maker.leftOutPoints,
    below: null,
  };
}

/** With more panels than this, each is too small for two figures. */
const mostPanels = 4;

/** The numbers of a figure. Below lines of means are the reductions of the same points, where each panel has some at two places of the horizontal axis. */
export function arrangeWithReduction(measurements: Measurements, choice: CompleteChoice): ArrangedFigure {
  const arranged = arrangeFigure(measurements, choice);
  const isOfMeans = choice.kind === 'line' && choice.statistic === 'mean';
  if (!isOfMeans || arranged.panels.length > mostPanels) return arranged;
  const below = arrangeFigure(measurements, { ...choice, statistic: 'reduction', logY: false });
  const panels = arranged.panels.flatMap(
    ({ values }) => below.panels.find((panel) => isSame(panel.values, values)) ?? [],
  );
  const isWhole = panels.length > 0 && panels.length === arranged.panels.length && panels.every(hasTwoPlaces);
  return isWhole ? { ...arranged, below: { ...below, panels, places: arranged.places } } : arranged;
}

function hasTwoPlaces({ series }: FigurePanel): boolean {
  return series.some(({ points }) => new Set(points.map(({ x }) => x)).size > 1);
}

function isSame(one: FigurePanel['values'], other: FigurePanel['values']): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Bars stand at places, and so does all that is no number. */
function placesOf(
  { kind, x }: CompleteChoice,
  { drawn, values }: { drawn: readonly FigurePanel[]; values: DimensionValue[] },
): DimensionValue[] | null {
  if (kind === 'distribution' || kind === 'scatter' || x === null) return null;
  if (kind === 'line' && isNumeric(values)) return null;
  const used = new Set(drawn.flatMap(({ series }) => series.flatMap(({ points }) => points.map((point) => point.x))));
  return values.filter((value) => used.has(value));
}

class SeriesMaker {
  readonly #choice: CompleteChoice;
  readonly #options: PointOptions;
  readonly #compare: (a: DimensionValue[], b: DimensionValue[]) => number;
  /** Of a scatter: the values of x by page and Scenario. */
  readonly #horizontal: Map<string, number>;
  leftOutPoints = 0;

  constructor(measurements: Measurements, { choice, all }: { choice: CompleteChoice; all: readonly FigureCell[] }) {
    const { design } = measurements;
    const { x } = choice;
    this.#choice = choice;
    this.#compare = orderPlaces([listDimensions(design).get(x ?? '') ?? []]);
    const baselines = new Map(
      all.filter(({ scenario }) => scenario.isBaseline).map((cell) => [keyIn(cell.scenario.group, cell), cell]),
    );
    this.#options = {
      statistic: choice.statistic,
      confidence: design.intervalConfidence,
      baselineOf: (cell) =>
        cell.scenario.isBaseline || cell.scenario.isComparable === false
          ? null
          : (baselines.get(keyIn(cell.scenario.group, cell)) ?? null),
    };
    const isMeasured = choice.kind === 'scatter' && x !== null && isMeasure(x);
    this.#horizontal = isMeasured ? averageByPage(gatherMeasurements(measurements, x)) : new Map<string, number>();
  }

  make(values: DimensionValue[], cells: readonly FigureCell[]): FigureSeries {
    const points = this.#pointsOf(cells);
    const isFitted = this.#choice.kind === 'scatter';
    return {
      values,
      scenarios: [...new Set(cells.map(({ scenario }) => scenario.name))],
      points,
      fit: isFitted ? fitLine(points as { x: number; y: number }[], this.#options.confidence) : null,
    };
  }

  #pointsOf(cells: readonly FigureCell[]): FigurePoint[] {
    const { kind, x } = this.#choice;
    if (kind === 'distribution') return distribute(cells);
    if (kind === 'scatter') return this.#scatter(cells, x!);
    return groupByPlace(cells, [x!], this.#compare).flatMap((group) =>
      this.#pointAt(group.values[0]!, { cells: group.cells, page: null }),
    );
  }

  #scatter(cells: readonly FigureCell[], x: string): FigurePoint[] {
    return [...Map.groupBy(cells, pageInScenario)].flatMap(([key, own]) => {
      const place = isMeasure(x) ? this.#horizontal.get(key) : valueOf(x, own[0]!);
      return typeof place === 'number' ? this.#pointAt(place, { cells: own, page: own[0]!.page.label }) : [];
    });
  }

  #pointAt(x: DimensionValue, { cells, page }: { cells: readonly FigureCell[]; page: string | null }): FigurePoint[] {
    const summary = summarizePoint(cells, this.#options);
    if (summary === 'too-few-visits') this.leftOutPoints++;
    return summary === null || summary === 'too-few-visits' ? [] : [{ x, ...summary, page }];
  }
}

function distribute(cells: readonly FigureCell[]): FigurePoint[] {
  const sorted = sortNumbers(cells.flatMap(({ values }) => values));
  return ecdf(sorted, distributionPoints).map(({ value, ratio }) => ({
    x: value,
    y: ratio,
    low: null,
    high: null,
    count: sorted.length,
    page: null,
  }));
}

function averageByPage(cells: readonly FigureCell[]): Map<string, number> {
  return new Map(
    [...Map.groupBy(cells, pageInScenario)].map(([key, own]) => {
      const values = own.flatMap((cell) => cell.values);
      return [key, values.reduce((sum, value) => sum + value, 0) / values.length];
    }),
  );
}

function pageInScenario({ scenario, page }: FigureCell): string {
  return JSON.stringify([scenario.name, page.page]);
}

function keyIn(group: string | null, { userAgent, page }: FigureCell): string {
  return JSON.stringify([group, userAgent.name, page.page]);
}

/** The statistic of the cells of a point; null where they have none, `too-few-visits` where they are too few for the quantile. */
function summarizePoint(
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
