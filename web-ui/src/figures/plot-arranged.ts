import type { FigureDesign } from '#core/figures/measurements.ts';
import { isMeasure } from '#core/metrics/measures.ts';
import type { ScenarioStyle } from '../components/scenario/scenario-style.ts';
import type { ArrangedFigure, FigurePanel, FigurePoint, FigureSeries } from './arranged-figure.ts';
import { joinAlike } from './alike-series.ts';
import { dodgeMarks } from './dodge-marks.ts';
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
  const { below } = arranged;
  const order = panel.series.map(keyOf);
  const styleOf = (series: FigureSeries) => styles.get(keyOf(series))!;
  const sets = joinAlike(arranged, panel);
  const drawn = { ...panel, series: sets.map(([first]) => first!) };
  const isNamed = new Set(drawn.series.map(keyOf));
  const lower = below?.panels[arranged.panels.indexOf(panel)];
  return {
    x: horizontalAxis(arranged, design),
    y: verticalAxis(arranged),
    ...(below && { below: { ...verticalAxis(below), title: 'Reduction, %', strongAt: 0 } }),
    layers: [
      ...sets.flatMap(([series, ...others]): PlotLayer[] => [
        ...plotSeries(arranged, {
          series: series!,
          dodge: dodgeMarks(arranged, { panel: drawn, order }),
          style: styleOf(series!),
          label: nameSet(arranged, [series!, ...others], design),
          design,
        }),
        ...fittedLine(series!, styleOf(series!).colour),
      ]),
      // The legend has each once: here those that are part of another's line above.
      ...(lower?.series ?? []).flatMap((series) => {
        const dodge = dodgeMarks(below!, { panel: lower!, order });
        const name = nameSeries(arranged, series, design);
        const label = isNamed.has(keyOf(series)) ? '' : name;
        return plotSeries(below!, { series, dodge, style: styleOf(series), label, name, design }).map((layer) => ({
          ...layer,
          isBelow: true,
        }));
      }),
    ],
    // As much as a mark at the edge needs; an interval that reaches below zero ends there.
    clip: 8,
    reads: 'nearest',
  };
}

/** As legends name a line that is of several series, as they cannot be set apart. */
export function nameSet(arranged: ArrangedFigure, set: readonly FigureSeries[], design: FigureDesign): string {
  const names = set.map((series) => nameSeries(arranged, series, design));
  return names.length === 1 ? names[0]! : `${names.join(', ')}: alike`;
}

/** As legends name it: a baseline is marked. */
function nameSeries({ choice }: ArrangedFigure, { values }: FigureSeries, design: FigureDesign): string {
  const names = choice.series;
  if (names.length === 0) return '';
  const name = labelPlace(names, values, design);
  const isBaseline =
    names.length === 1 &&
    names[0] === 'scenario' &&
    design.scenarios.some((each) => each.name === values[0] && each.isBaseline);
  return isBaseline ? `${name} (baseline)` : name;
}

interface PlottedSeries {
  series: FigureSeries;
  dodge: ReturnType<typeof dodgeMarks>;
  style: ScenarioStyle;
  label: string;
  name?: string;
  design: FigureDesign;
}

/** Its marks, and beside them the intervals that would be covered by others. */
function plotSeries(
  figure: ArrangedFigure,
  { series, dodge, style, label, name = label, design }: PlottedSeries,
): PlotLayer[] {
  const placed = placeMarks(figure, { series, dodge, design });
  const layer = { label, name, ...lookOf(figure, { style, design }) };
  const marks = placed.map(({ mark, interval }) =>
    interval === mark.x ? mark : { ...mark, yMin: mark.y, yMax: mark.y },
  );
  const beside = placed.flatMap(({ mark, interval }) => (interval === mark.x ? [] : [{ ...mark, x: interval }]));
  if (beside.length === 0) return [{ ...layer, marks }];
  return [
    { ...layer, marks },
    { kind: 'points', look: style, label: '', name, hasMarks: false, marks: beside },
  ];
}

interface PlacedMark {
  mark: PlotMark;
  /** Where its interval is drawn. */
  interval: number | string;
}

function placeMarks(
  figure: ArrangedFigure,
  { series, dodge, design }: Pick<PlottedSeries, 'series' | 'dodge' | 'design'>,
): PlacedMark[] {
  const { choice, places } = figure;
  const factor = choice.statistic === 'reduction' ? 100 : 1;
  const shown = series.points.filter(({ x, y }) => (!choice.logY || y > 0) && (!choice.logX || Number(x) > 0));
  const marks = shown.map((point): PlacedMark => {
    const y = point.y * factor;
    const low = (point.low ?? point.y) * factor;
    const high = (point.high ?? point.y) * factor;
    const index = places?.indexOf(point.x) ?? -1;
    const place = choice.kind === 'bars' ? { mark: String(index), interval: String(index) } : dodge(series, point);
    const words = { title: writePlace(figure, point, design), text: writeValue(figure, point) };
    // A logarithm has no place for what is below zero.
    const mark = { x: place.mark, y, yMin: choice.logY && low <= 0 ? y : low, yMax: high, ...words };
    return { mark, interval: place.interval };
  });
  // The library draws the first bar of a series at the first place and ignores its x, so each place has one.
  if (choice.kind === 'bars')
    return (places ?? []).map((_, index) => {
      const x = String(index);
      const none = { mark: { x, y: null, yMin: null, yMax: null }, interval: x };
      return marks.find(({ interval }) => interval === x) ?? none;
    });
  const [first] = marks;
  if (choice.kind !== 'distribution' || !first) return marks;
  return [{ ...first, mark: { ...first.mark, y: 0, yMin: 0, yMax: 0 } }, ...marks];
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
    ...(choice.kind === 'line' && { ticksAt: measuredAt(arranged) }),
    limits: horizontalLimits(arranged),
  };
}

/** More would be a scale of its own. */
const mostTicks = 12;

/** The numbers of x that were measured, where they are few. */
function measuredAt(arranged: ArrangedFigure): number[] | undefined {
  const { logX } = arranged.choice;
  const xs = [...new Set(pointsOf(arranged).map(({ x }) => Number(x)))].filter((x) => !logX || x > 0);
  return xs.length > 0 && xs.length <= mostTicks ? xs : undefined;
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
/** The same of another, against the distance of its ends. */
const roomRatio = 0.025;

function pointsOf({ panels }: ArrangedFigure): FigurePoint[] {
  return panels.flatMap(({ series }) => series.flatMap(({ points }) => points));
}

function horizontalLimits(arranged: ArrangedFigure): NonNullable<NumberAxis['limits']> {
  const { logX } = arranged.choice;
  const xs = pointsOf(arranged).flatMap(({ x }) => (typeof x === 'number' && (!logX || x > 0) ? x : []));
  if (xs.length === 0) return {};
  const [least, most] = [Math.min(...xs), Math.max(...xs)];
  if (logX) return { min: least / margin, max: most * margin };
  const room = roomRatio * (most - least);
  return arranged.choice.kind === 'line' && room > 0
    ? { min: least - room, max: most + room }
    : { suggestedMin: least, suggestedMax: most };
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
