import type { FigureDesign } from '#core/record/measurements.ts';
import { isMeasure } from '#core/metrics/measures.ts';
import { extentOf } from '#core/statistics/summarize-sample.ts';
import type { ScenarioStyle } from '../components/scenario/scenario-style.ts';
import {
  joinAlike,
  type ArrangedFigure,
  type FigurePanel,
  type FigurePoint,
  type FigureSeries,
} from './arranged-figure.ts';
import { formatPercent } from '../format/format-ratios.ts';
import { horizontalAxis, lowerAxis, scaleValues, verticalAxis } from './arranged-axes.ts';
import { dodgeMarks } from './dodge-marks.ts';
import { describePoint, formatDecimals, formatMeasure, labelDimension, labelValue } from './name-figure.ts';
import type { LineLayer, Plot, PlotLayer, PlotMark } from './plot.ts';
import { keyOf, labelSeries, styleDesign } from './style-series.ts';

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
    ...(below && { below: lowerAxis(below) }),
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
  return names.length === 1 ? names[0]! : `${names.join('; ')}: alike`;
}

/** As legends name it: a baseline is marked. */
function nameSeries(arranged: ArrangedFigure, series: FigureSeries, design: FigureDesign): string {
  const names = arranged.choice.series;
  const { values } = series;
  if (names.length === 0) return '';
  const name = labelSeries(arranged, series, design);
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
  const layer = { label, name, ...lookOf(figure, { style, design, placed }) };
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
  const { toAxis } = scaleValues(figure);
  const shown = series.points.filter(({ x, y }) => (!choice.logY || y > 0) && (!choice.logX || Number(x) > 0));
  const marks = shown.map((point): PlacedMark => {
    const y = toAxis(point.y);
    const ends = [point.low ?? point.y, point.high ?? point.y].map(toAxis);
    const [low, high] = [Math.min(...ends), Math.max(...ends)];
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

function lookOf(
  figure: ArrangedFigure,
  { style, design, placed }: { style: ScenarioStyle; design: FigureDesign; placed: readonly PlacedMark[] },
) {
  const { choice, places } = figure;
  switch (choice.kind) {
    case 'bars':
      return {
        kind: 'bars',
        colours: colourPlaces({ choice, places }, design) ?? style.colour,
        mostPx: 48,
        ...(scaleValues(figure).isRatio && { base: 1 }),
      } as const;
    case 'distribution':
      return { kind: 'steps', look: style, pointPx: sizeShares(placed) } as const;
    default:
      return { kind: 'points', look: style, isJoined: choice.kind === 'line' && places === null } as const;
  }
}

/** Of a distribution: a mark at each quartile, by which lines are known without their colours. */
function sizeShares(placed: readonly PlacedMark[]): number[] {
  const marked = [0.25, 0.5, 0.75].map((share) => placed.findIndex(({ mark }) => (mark.y ?? 0) >= share));
  return placed.map((_, index) => (marked.includes(index) ? shareMarkPx : 0));
}

const shareMarkPx = 5;

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
  const marks = extentOf(points.map(({ x }) => Number(x))).map((x) => ({ x, y: fit.intercept + fit.slope * x }));
  return [{ kind: 'line', label: '', colour, widthPx: 1.5, dash: [6, 4], marks }];
}

function writePlace({ choice }: ArrangedFigure, point: FigurePoint, design: FigureDesign): string {
  if (choice.kind === 'distribution') return '';
  if (point.page !== null) return point.page;
  return typeof point.x === 'number'
    ? `${labelDimension(choice.x!)} ${formatDecimals(point.x)}`
    : labelValue(choice.x!, point.x, design);
}

function writeValue({ choice }: ArrangedFigure, point: FigurePoint): string {
  const { x, y } = point;
  if (choice.kind === 'distribution') return `${formatPercent(y)} up to ${formatMeasure(Number(x), choice.y)}`;
  const { value, interval } = describePoint(point, choice);
  const isAtMeasure = choice.kind === 'scatter' && choice.x !== null && isMeasure(choice.x);
  const place = isAtMeasure ? ` at ${formatMeasure(Number(x), choice.x as typeof choice.y)}` : '';
  return `${value}${interval === null ? '' : ` (${interval})`}${place}`;
}
