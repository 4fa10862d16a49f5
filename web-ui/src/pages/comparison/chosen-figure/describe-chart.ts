import type { ChartConfiguration } from 'chart.js';
import type { ArrangedFigure, FigurePanel, FigurePoint, FigureSeries } from '#web-ui/src/figures/arranged-figure.ts';
import type { FigureDesign } from '#core/figures/figure-design.ts';
import { isMeasure } from '#core/metrics/measures.ts';
import type { ChartInks } from '../../../components/chart-inks.ts';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { scenarioMarks } from '../figures/scenario-marks.ts';
import { belowAxis, chartAxes } from './chart-axes.ts';
import { dodgeMarks, type Dodge } from './dodge-marks.ts';
import { formatDecimals, formatMeasure } from './format-measure.ts';
import { labelDimension, labelPlace, labelValue } from './label-dimension.ts';
import { keyOf } from './style-series.ts';

/** Null values: there is nothing at this place. */
interface Mark {
  x: number | string;
  y: number | null;
  yMin: number | null;
  yMax: number | null;
  point: FigurePoint | null;
}

interface ChartParts {
  panel: FigurePanel;
  design: FigureDesign;
  styles: Map<string, ScenarioStyle>;
}

/** How Chart.js draws one panel of a figure. */
export function describeChart(
  arranged: ArrangedFigure,
  { panel, design, styles }: ChartParts,
): (inks: ChartInks) => ChartConfiguration {
  const { kind, series: names } = arranged.choice;
  const dodge = dodgeMarks(arranged);
  const { below } = arranged;
  const order = panel.series.map(keyOf);
  const lower = below?.panels[arranged.panels.indexOf(panel)]?.series ?? [];
  const drawSeries = (figure: ArrangedFigure, series: FigureSeries, inks: ChartInks) => {
    const place = { order: order.indexOf(keyOf(series)), count: order.length };
    return {
      // What a tooltip calls it; the legend has it once.
      name: nameSeries(names, series, design),
      data: placeMarks(figure, { series, dodge, place }),
      ...looksOf(figure, styles.get(keyOf(series))!, inks),
    };
  };
  return (inks): ChartConfiguration =>
    ({
      type: kind === 'bars' ? 'barWithErrorBars' : kind === 'distribution' ? 'line' : 'scatterWithErrorBars',
      data: {
        datasets: [
          ...panel.series.flatMap((series) => {
            const drawn = drawSeries(arranged, series, inks);
            const line = kind === 'scatter' ? fittedMarks(series) : [];
            const style = styles.get(keyOf(series))!;
            // Else it would take the axis that comes first, which is the lower one.
            const upper = { ...drawn, label: drawn.name, ...(below && { yAxisID: 'y' }) };
            return [upper, ...(line.length === 0 ? [] : [fittedLine(line, inks.shade(style.colour))])];
          }),
          ...lower.map((series) => ({ ...drawSeries(below!, series, inks), label: '', yAxisID: belowAxis })),
        ],
      },
      options: {
        animation: false,
        maintainAspectRatio: false,
        // As much as a mark at the edge needs; an interval that reaches below zero ends there.
        clip: 8,
        ...(kind === 'distribution' && { parsing: false }),
        interaction: { mode: 'nearest', intersect: false },
        scales: chartAxes(arranged, { design, inks }),
        plugins: {
          tooltip: {
            filter: ({ raw }: { raw: unknown }) => (raw as Mark).point !== null,
            usePointStyle: true,
            boxPadding: 6,
            callbacks: {
              title: (items: { raw: unknown }[]) =>
                describePlace(arranged, (items[0]?.raw as Mark | undefined)?.point ?? null, design),
              label: ({ dataset, raw }: { dataset: { name?: string; yAxisID?: string }; raw: unknown }) =>
                [dataset.name, describeValue(dataset.yAxisID === belowAxis ? below! : arranged, (raw as Mark).point!)]
                  .filter(Boolean)
                  .join(': '),
            },
          },
        },
      },
    }) as unknown as ChartConfiguration;
}

/** As legends name it: a baseline is marked. */
function nameSeries(names: readonly string[], { values }: FigureSeries, design: FigureDesign): string {
  if (names.length === 0) return '';
  const name = labelPlace(names, values, design);
  const isBaseline =
    names.length === 1 &&
    names[0] === 'scenario' &&
    design.scenarios.some((each) => each.name === values[0] && each.isBaseline);
  return isBaseline ? `${name} (baseline)` : name;
}

function placeMarks(
  { choice, places }: ArrangedFigure,
  { series, dodge, place }: { series: FigureSeries; dodge: Dodge; place: { order: number; count: number } },
): Mark[] {
  const factor = choice.statistic === 'reduction' ? 100 : 1;
  const shown = series.points.filter(({ x, y }) => (!choice.logY || y > 0) && (!choice.logX || Number(x) > 0));
  const marks = shown.map((point): Mark => {
    const y = point.y * factor;
    const low = (point.low ?? point.y) * factor;
    const high = (point.high ?? point.y) * factor;
    const index = places?.indexOf(point.x) ?? -1;
    const middle = places === null ? Number(point.x) : index + 1;
    const x = choice.kind === 'bars' ? String(index) : dodge.place(middle, place.order, place.count);
    // A logarithm has no place for what is below zero.
    return { x, y, yMin: choice.logY && low <= 0 ? y : low, yMax: high, point };
  });
  // The library draws the first bar of a series at the first place and ignores its x, so each place has one.
  if (choice.kind === 'bars')
    return (places ?? []).map(
      (_, index) =>
        marks.find(({ x }) => x === String(index)) ?? {
          x: String(index),
          y: null,
          yMin: null,
          yMax: null,
          point: null,
        },
    );
  const [first] = marks;
  return choice.kind === 'distribution' && first ? [{ ...first, y: 0, yMin: 0, yMax: 0 }, ...marks] : marks;
}

function looksOf({ choice, places }: ArrangedFigure, style: ScenarioStyle, inks: ChartInks) {
  switch (choice.kind) {
    case 'bars':
      return {
        backgroundColor: inks.shade(style.colour),
        errorBarColor: inks.text,
        errorBarWhiskerColor: inks.text,
        maxBarThickness: 48,
        pointStyle: style.shape,
      };
    case 'distribution':
      return {
        stepped: true,
        borderColor: inks.shade(style.colour),
        backgroundColor: inks.shade(style.colour),
        borderWidth: 2,
        pointStyle: style.shape,
        pointRadius: 0,
        pointHoverRadius: 4,
      };
    default:
      return { showLine: choice.kind === 'line' && places === null, ...scenarioMarks(style, inks) };
  }
}

/** From the least x to the greatest. */
function fittedMarks({ points, fit }: FigureSeries): Mark[] {
  if (!fit) return [];
  const xs = points.map(({ x }) => Number(x));
  return [Math.min(...xs), Math.max(...xs)].map((x) => {
    const y = fit.intercept + fit.slope * x;
    return { x, y, yMin: y, yMax: y, point: null };
  });
}

function fittedLine(data: Mark[], colour: string) {
  return {
    label: '',
    data,
    showLine: true,
    borderColor: colour,
    borderWidth: 1.5,
    borderDash: [6, 4],
    pointRadius: 0,
    pointHoverRadius: 0,
    errorBarLineWidth: 0,
    errorBarWhiskerLineWidth: 0,
    errorBarWhiskerSize: 0,
    pointStyle: 'line',
  };
}

function describePlace({ choice }: ArrangedFigure, point: FigurePoint | null, design: FigureDesign): string {
  if (point === null || choice.kind === 'distribution') return '';
  if (point.page !== null) return point.page;
  return typeof point.x === 'number'
    ? `${labelDimension(choice.x!)} ${formatDecimals(point.x)}`
    : labelValue(choice.x!, point.x, design);
}

function describeValue({ choice }: ArrangedFigure, { x, y, low, high }: FigurePoint): string {
  const { statistic } = choice;
  if (choice.kind === 'distribution')
    return `${Math.round(y * 100)} % up to ${formatMeasure(Number(x), choice.y, 'mean')}`;
  const value = formatMeasure(y, choice.y, statistic);
  const interval =
    low === null || high === null
      ? ''
      : ` (${formatMeasure(low, choice.y, statistic)} to ${formatMeasure(high, choice.y, statistic)})`;
  const isAtMeasure = choice.kind === 'scatter' && choice.x !== null && isMeasure(choice.x);
  return `${value}${interval}${isAtMeasure ? ` at ${formatMeasure(Number(x), choice.x as typeof choice.y, 'mean')}` : ''}`;
}
