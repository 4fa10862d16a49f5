import type { Estimate } from '#core/comparison/estimate.ts';
import type { CountedValue } from '#core/comparison/counted/counted-value.ts';
import {
  pointFigureIds,
  pointFigures,
  type PointComparison,
  type PointFigure,
} from '#core/comparison/network/compare-points.ts';
import { wireFigures, type ScenarioWire, type WireFigure } from '#core/comparison/network/compare-wire.ts';
import type { Figure } from '../../../components/chart/figure.ts';
import { labelScenario, type ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { describePlot } from '../../../figures/describe-plot.ts';
import type { PlotMark } from '../../../figures/plot.ts';
import { formatBytes, formatNumber } from '../../../format/format-numbers.ts';

const mostBarPx = 56;

/** One figure of all Capture Points per Round: bars for each point, a Scenario each, with their intervals. */
export function pointFigure(
  points: PointComparison[],
  { figure, styles }: { figure: PointFigure; styles: Map<string, ScenarioStyle> },
): Figure {
  const title = `${pointFigures[figure].label} at each Capture Point, per Round`;
  const names = points[0]?.scenarios.map(({ scenario }) => scenario) ?? [];
  const estimateAt = ({ scenarios }: PointComparison, name: string) => {
    const value = scenarios.find(({ scenario }) => scenario === name)?.figures[figure];
    return value?.kind === 'measured' ? value.estimate : null;
  };
  return {
    title,
    fileName: title,
    table: {
      columns: [
        { label: 'Capture Point' },
        { label: 'Scenario' },
        { label: pointFigures[figure].label, decimals: figure === 'bytes' ? 0 : 1 },
        { label: '±', decimals: figure === 'bytes' ? 0 : 1 },
        { label: 'ratio to the baseline', decimals: 3 },
        { label: 'ratio from', decimals: 3 },
        { label: 'ratio to', decimals: 3 },
        { label: 'Rounds', decimals: 0 },
      ],
      rows: points.flatMap(({ point, scenarios }) =>
        scenarios.map(({ scenario, figures }) => [point, scenario, ...listNumbers(figures[figure])]),
      ),
    },
    describe: describePlot(() => {
      const format = formatOf(figure);
      return {
        x: { kind: 'categories', names: points.map(({ point }) => point) },
        y: {
          kind: 'numbers',
          title: `${pointFigures[figure].label} per Round`,
          ...(figure === 'bytes' && { unit: 'bytes' }),
        },
        layers: names.map((name) => ({
          kind: 'bars',
          label: labelScenario(name, styles),
          colours: styles.get(name)!.colour,
          mostPx: mostBarPx,
          marks: points.map((point) => placeBar(estimateAt(point, name), { x: point.point, format })),
        })),
      };
    }),
  };
}

/** What was counted at some Capture Point under some Scenario. */
export function countedFigures(points: readonly PointComparison[]): PointFigure[] {
  return pointFigureIds.filter((id) =>
    points.some(({ scenarios }) => scenarios.some(({ figures }) => figures[id].kind === 'measured')),
  );
}

/** Mean, half-width, ratio with its interval, Rounds. */
function listNumbers(value: CountedValue): (number | null)[] {
  if (value.kind === 'absent') return [null, null, null, null, null, null];
  const { estimate, contrast } = value;
  const ratio = contrast?.ratio;
  return [
    estimate.mean,
    estimate.halfWidth,
    ratio?.value ?? null,
    ratio?.low ?? null,
    ratio?.high ?? null,
    estimate.rounds,
  ];
}

/** One figure of the wire per Visit, a bar per Scenario with its interval. */
export function wireFigure(
  scenarios: ScenarioWire[],
  { figure, styles }: { figure: WireFigure; styles: Map<string, ScenarioStyle> },
): Figure {
  const title = `${wireFigures[figure].label} per Visit`;
  return {
    title,
    fileName: title,
    table: {
      columns: [{ label: 'Scenario' }, { label: title }, { label: '±' }, { label: 'Rounds', decimals: 0 }],
      rows: scenarios.map(({ scenario, figures }) => [
        scenario,
        figures[figure]?.mean ?? null,
        figures[figure]?.halfWidth ?? null,
        figures[figure]?.rounds ?? null,
      ]),
    },
    describe: describePlot(() => ({
      x: { kind: 'categories', names: scenarios.map(({ scenario }) => scenario) },
      y: { kind: 'numbers', title, ...(figure === 'bytes' && { unit: 'bytes' }) },
      layers: [
        {
          kind: 'bars',
          label: '',
          colours: scenarios.map(({ scenario }) => styles.get(scenario)!.colour),
          mostPx: mostBarPx,
          marks: scenarios.map(({ scenario, figures }) =>
            placeBar(figures[figure], { x: scenario, format: formatOf(figure) }),
          ),
        },
      ],
    })),
  };
}

/** A point with its error bar, or none. */
export function placeEstimate(
  estimate: Estimate | null,
  { x, write }: { x: number; write: (value: number) => string },
): (PlotMark & { y: number })[] {
  if (!estimate) return [];
  const { mean, halfWidth } = estimate;
  return [{ x, y: mean, yMin: mean - (halfWidth ?? 0), yMax: mean + (halfWidth ?? 0), text: write(mean) }];
}

/** The ends of all intervals, for an axis that holds them. */
export function lowsAndHighs(estimates: readonly (Estimate | null)[]): number[] {
  return estimates.flatMap((estimate) =>
    estimate ? [estimate.mean - (estimate.halfWidth ?? 0), estimate.mean + (estimate.halfWidth ?? 0)] : [],
  );
}

const formatOf = (figure: PointFigure | WireFigure) =>
  figure === 'bytes' ? formatBytes : (value: number) => formatNumber(value, 1);

/** A bar without a mean is not drawn. */
function placeBar(
  estimate: Estimate | null,
  { x, format }: { x: string; format: (value: number) => string },
): PlotMark {
  if (!estimate) return { x, y: Number.NaN, yMin: Number.NaN, yMax: Number.NaN };
  const { mean, halfWidth } = estimate;
  const half = halfWidth ?? 0;
  const text = halfWidth === null ? format(mean) : `${format(mean)} ± ${format(halfWidth)}`;
  return { x, y: mean, yMin: mean - half, yMax: mean + half, title: x, text };
}
