import type { FigureDesign } from '#core/figures/measurements.ts';
import { isMeasure } from '#core/metrics/measures.ts';
import type { ScenarioStyle } from '../components/scenario/scenario-style.ts';
import type { ArrangedFigure, FigurePanel, FigurePoint, FigureSeries } from './arranged-figure.ts';
import { dodgeMarks, type Dodge } from './dodge-marks.ts';
import {
  formatDecimals,
  formatMeasure,
  labelDimension,
  labelPlace,
  labelValue,
  nameHorizontal,
  nameVertical,
} from './name-figure.ts';
import { startsAtZero } from './plot-axes.ts';
import type { LineLayer, NumberAxis, Plot, PlotAxis, PlotLayer, PlotMark } from './plot.ts';
import { keyOf, styleDesign } from './style-series.ts';

interface PlottedPanel {
  panel: FigurePanel;
  design: FigureDesign;
  styles: Map<string, ScenarioStyle>;
}

/** One panel of a figure as a plot. The axes of all panels are alike, so that they can be compared. */
export function plotPanel(arranged: ArrangedFigure, { panel, design, styles }: PlottedPanel): Plot {
  const { below, choice } = arranged;
  const dodge = dodgeMarks(arranged);
  const order = panel.series.map(keyOf);
  const layerOf = (figure: ArrangedFigure, series: FigureSeries) => {
    const place = { order: order.indexOf(keyOf(series)), count: order.length };
    const marks = placeMarks(figure, { series, dodge, place, design });
    const look = lookOf(figure, { style: styles.get(keyOf(series))!, design });
    return { label: nameSeries(choice.series, series, design), ...look, marks };
  };
  const lower = below?.panels[arranged.panels.indexOf(panel)]?.series ?? [];
  return {
    x: horizontalAxis(arranged, design),
    y: verticalAxis(arranged),
    ...(below && { below: { ...verticalAxis(below), title: 'Reduction, %', strongAt: 0 } }),
    layers: [
      ...panel.series.flatMap((series): PlotLayer[] => [
        layerOf(arranged, series),
        ...fittedLine(series, styles.get(keyOf(series))!.colour),
      ]),
      // The legend has each once.
      ...lower.map((series): PlotLayer => {
        const layer = layerOf(below!, series);
        return { ...layer, label: '', name: layer.label, isBelow: true };
      }),
    ],
    // As much as a mark at the edge needs; an interval that reaches below zero ends there.
    clip: 8,
    reads: 'nearest',
  };
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

interface PlacedSeries {
  series: FigureSeries;
  dodge: Dodge;
  place: { order: number; count: number };
  design: FigureDesign;
}

function placeMarks(figure: ArrangedFigure, { series, dodge, place, design }: PlacedSeries): PlotMark[] {
  const { choice, places } = figure;
  const factor = choice.statistic === 'reduction' ? 100 : 1;
  const shown = series.points.filter(({ x, y }) => (!choice.logY || y > 0) && (!choice.logX || Number(x) > 0));
  const marks = shown.map((point): PlotMark => {
    const y = point.y * factor;
    const low = (point.low ?? point.y) * factor;
    const high = (point.high ?? point.y) * factor;
    const index = places?.indexOf(point.x) ?? -1;
    const middle = places === null ? Number(point.x) : index + 1;
    const x = choice.kind === 'bars' ? String(index) : dodge.place(middle, place.order, place.count);
    const words = { title: writePlace(figure, point, design), text: writeValue(figure, point) };
    // A logarithm has no place for what is below zero.
    return { x, y, yMin: choice.logY && low <= 0 ? y : low, yMax: high, ...words };
  });
  // The library draws the first bar of a series at the first place and ignores its x, so each place has one.
  if (choice.kind === 'bars')
    return (places ?? []).map(
      (_, index) => marks.find(({ x }) => x === String(index)) ?? { x: String(index), y: null, yMin: null, yMax: null },
    );
  const [first] = marks;
  return choice.kind === 'distribution' && first ? [{ ...first, y: 0, yMin: 0, yMax: 0 }, ...marks] : marks;
}

function lookOf({ choice, places }: ArrangedFigure, { style, design }: { style: ScenarioStyle; design: FigureDesign }) {
  switch (choice.kind) {
    case 'bars':
      return { kind: 'bars', colours: colourPlaces({ choice, places }, design) ?? style.colour, mostPx: 48 } as const;
    case 'distribution':
      return { kind: 'steps', look: style, pointPx: 0 } as const;
    default:
      return { kind: 'points', look: style, isJoined: choice.kind === 'line' && places === null } as const;
  }
}

/** Of bars that are Scenarios by name, each its own; null where bars are something else. */
function colourPlaces(
  { choice: { x, series }, places }: Pick<ArrangedFigure, 'choice' | 'places'>,
  design: FigureDesign,
): string[] | null {
  if (x !== 'scenario' || series.length > 0) return null;
  const styles = styleDesign(design);
  return (places ?? []).map((name) => styles.get(String(name))!.colour);
}

/** From the least x to the greatest; none but in a scatter. */
function fittedLine({ points, fit }: FigureSeries, colour: string): LineLayer[] {
  if (!fit) return [];
  const xs = points.map(({ x }) => Number(x));
  const marks = [Math.min(...xs), Math.max(...xs)].map((x) => ({ x, y: fit.intercept + fit.slope * x }));
  return [{ kind: 'line', label: '', colour, widthPx: 1.5, dash: [6, 4], marks }];
}

function writePlace({ choice }: ArrangedFigure, point: FigurePoint, design: FigureDesign): string {
  if (choice.kind === 'distribution') return '';
  if (point.page !== null) return point.page;
  return typeof point.x === 'number'
    ? `${labelDimension(choice.x!)} ${formatDecimals(point.x)}`
    : labelValue(choice.x!, point.x, design);
}

function writeValue({ choice }: ArrangedFigure, { x, y, low, high }: FigurePoint): string {
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

function horizontalAxis(arranged: ArrangedFigure, design: FigureDesign): PlotAxis {
  const { choice, places } = arranged;
  const names = places?.map((place) => labelValue(choice.x!, place, design)) ?? [];
  if (choice.kind === 'bars') return { kind: 'categories', names, isNumbered: true };
  if (places !== null) return { kind: 'places', names };
  return {
    kind: 'numbers',
    ...nameHorizontal(arranged),
    isLogarithmic: choice.logX,
    startsAtZero: false,
    canBeNegative: true,
    hasGrid: choice.kind === 'scatter',
    // A tick at the end of the room beside the marks would be no round number.
    hasEnds: false,
    limits: horizontalLimits(arranged),
  };
}

function verticalAxis(arranged: ArrangedFigure): NumberAxis {
  const { kind, statistic, logY } = arranged.choice;
  const axis = { kind: 'numbers' as const, ...nameVertical(arranged) };
  if (kind === 'distribution')
    return { ...axis, format: (value) => `${Math.round(value * 100)} %`, limits: { max: 1 } };
  const { suggestedMin, suggestedMax, isFitted } = verticalExtent(arranged);
  if (logY) return { ...axis, isLogarithmic: true, limits: { suggestedMin: suggestedMin / margin, suggestedMax } };
  const isSigned = statistic === 'reduction';
  const isFromZero = isSigned || kind === 'bars' || !isFitted;
  return {
    ...axis,
    canBeNegative: isSigned,
    startsAtZero: isFromZero,
    limits: { ...((isSigned || !isFromZero) && { suggestedMin }), suggestedMax },
  };
}

/** Room beside the outermost points of a logarithmic axis. */
const margin = 1.15;

function pointsOf({ panels }: ArrangedFigure): FigurePoint[] {
  return panels.flatMap(({ series }) => series.flatMap(({ points }) => points));
}

function horizontalLimits(arranged: ArrangedFigure): NonNullable<NumberAxis['limits']> {
  const { logX } = arranged.choice;
  const xs = pointsOf(arranged).flatMap(({ x }) => (typeof x === 'number' && (!logX || x > 0) ? x : []));
  if (xs.length === 0) return {};
  const [least, most] = [Math.min(...xs), Math.max(...xs)];
  if (logX) return { min: least / margin, max: most * margin };
  const room = dodgeMarks(arranged).margin;
  return room > 0 ? { min: least - room, max: most + room } : { suggestedMin: least, suggestedMax: most };
}

function verticalExtent(arranged: ArrangedFigure): { suggestedMin: number; suggestedMax: number; isFitted: boolean } {
  const { choice } = arranged;
  const points = pointsOf(arranged);
  const factor = choice.statistic === 'reduction' ? 100 : 1;
  const highs = points.map(({ y, high }) => (high ?? y) * factor);
  const lows = choice.logY
    ? points.map(({ y }) => y).filter((y) => y > 0)
    : points.map(({ y, low }) => (low ?? y) * factor);
  return {
    suggestedMin: lows.length === 0 ? 0 : Math.min(...lows),
    suggestedMax: Math.max(...highs),
    isFitted: !startsAtZero([...lows, ...highs]),
  };
}
