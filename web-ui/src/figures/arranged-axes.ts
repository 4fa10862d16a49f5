import { isFactor } from '#core/comparison/findings/reduction-words.ts';
import type { FigureDesign } from '#core/record/measurements.ts';
import { extentOf } from '#core/statistics/summarize-sample.ts';
import { nameInGroups } from '../components/scenario/scenario-style.ts';
import type { ArrangedFigure, FigurePoint } from './arranged-figure.ts';
import { labelMeasure, labelValue, nameHorizontal, nameVertical } from './name-figure.ts';
import { startsAtZero } from './plot-axes.ts';
import type { CategoryAxis, NumberAxis, PlotAxis } from './plot.ts';

/** The horizontal axis of every panel. */
export function horizontalAxis(arranged: ArrangedFigure, design: FigureDesign): PlotAxis {
  const { choice, places } = arranged;
  const names = places?.map((place) => labelValue(choice.x!, place, design)) ?? [];
  if (choice.kind === 'bars') return { kind: 'categories', names, isNumbered: true, ...groupPlaces(arranged, design) };
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

/** Places that are Scenarios of several groups, with the name of each in its group. Nothing where groups are not side by side. */
function groupPlaces(
  { choice, places }: ArrangedFigure,
  design: FigureDesign,
): Pick<CategoryAxis, 'names' | 'groups'> | null {
  if (choice.x !== 'scenario') return null;
  const inGroups = nameInGroups(design.scenarios);
  const shown = design.scenarios.flatMap(({ name, group }, index) =>
    places?.includes(name) && group !== null ? [{ group, name: inGroups[index]! }] : [],
  );
  const groups = [...Map.groupBy(shown, ({ group }) => group)];
  const isInOrder = groups.flatMap(([, own]) => own).every((each, index) => each === shown[index]);
  if (groups.length < 2 || groups.length === shown.length || !isInOrder) return null;
  return {
    names: shown.map(({ name }) => name),
    groups: groups.map(([name, own]) => ({ name, count: own.length })),
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

/** The vertical axis of every panel. */
export function verticalAxis(arranged: ArrangedFigure): NumberAxis {
  const { kind, statistic, logY } = arranged.choice;
  const axis = { kind: 'numbers' as const, ...nameVertical(arranged) };
  if (kind === 'distribution')
    return { ...axis, format: (value) => `${Math.round(value * 100)} %`, limits: { max: 1 } };
  const { suggestedMin, suggestedMax, isFitted } = verticalExtent(arranged);
  if (scaleValues(arranged).isRatio) {
    return {
      ...axis,
      title: `${labelMeasure(arranged.choice.y, { statistic: 'mean', from: arranged.countedFrom })}, × the baseline`,
      ...ratioAxis([suggestedMin, suggestedMax]),
    };
  }
  if (logY) return { ...axis, isLogarithmic: true, limits: { suggestedMin: suggestedMin / logMargin, suggestedMax } };
  const isSigned = statistic === 'reduction';
  const isFromZero = isSigned || kind === 'bars' || !isFitted;
  return {
    ...axis,
    canBeNegative: isSigned,
    startsAtZero: isFromZero,
    limits: { ...((isSigned || !isFromZero) && { suggestedMin }), suggestedMax },
  };
}

/** That of the reductions below means. */
export function lowerAxis(below: ArrangedFigure): NumberAxis {
  const { isRatio, none } = scaleValues(below);
  return { ...verticalAxis(below), title: isRatio ? '× the baseline' : 'Reduction, %', strongAt: none };
}

/** How values are drawn: reductions in percent or as ratios, all others as they are. */
export function scaleValues(arranged: ArrangedFigure): ReductionScale {
  if (arranged.choice.statistic !== 'reduction') return { toAxis: (value) => value, isRatio: false, none: 0 };
  const scale = scaleReductions(pointsOf(arranged).map(({ y }) => y));
  return scale.isRatio ? scale : { ...scale, toAxis: (value) => value * 100 };
}

/** Room beside the outermost points of an axis that is not logarithmic, against the distance of its ends. */
const roomRatio = 0.025;

function pointsOf({ panels }: ArrangedFigure): FigurePoint[] {
  return panels.flatMap(({ series }) => series.flatMap(({ points }) => points));
}

function horizontalLimits(arranged: ArrangedFigure): NonNullable<NumberAxis['limits']> {
  const { logX } = arranged.choice;
  const xs = pointsOf(arranged).flatMap(({ x }) => (typeof x === 'number' && (!logX || x > 0) ? x : []));
  if (xs.length === 0) return {};
  const [least, most] = extentOf(xs);
  if (logX) return { min: least / logMargin, max: most * logMargin };
  const room = roomRatio * (most - least);
  return arranged.choice.kind === 'line' && room > 0
    ? { min: least - room, max: most + room }
    : { suggestedMin: least, suggestedMax: most };
}

function verticalExtent(arranged: ArrangedFigure): { suggestedMin: number; suggestedMax: number; isFitted: boolean } {
  const { choice } = arranged;
  const points = pointsOf(arranged);
  const { toAxis } = scaleValues(arranged);
  const highs = points.flatMap(({ y, low, high }) => [toAxis(low ?? y), toAxis(high ?? y)]);
  const lows = choice.logY ? points.map(({ y }) => y).filter((y) => y > 0) : highs;
  return {
    suggestedMin: lows.length === 0 ? 0 : extentOf(lows)[0],
    suggestedMax: extentOf(highs)[1],
    isFitted: !startsAtZero([...lows, ...highs]),
  };
}

/** How reductions are drawn. */
export interface ReductionScale {
  toAxis: (reduction: number) => number;
  /** As ratios to the baseline, on a logarithmic axis. */
  isRatio: boolean;
  /** Where there is no difference. */
  none: number;
}

/** Reductions are as they are. Where one is more than twice the baseline, all are ratios, as percents would be thousands. */
export function scaleReductions(reductions: readonly number[]): ReductionScale {
  return reductions.some(isFactor)
    ? { toAxis: (reduction) => 1 - reduction, isRatio: true, none: 1 }
    : { toAxis: (reduction) => reduction, isRatio: false, none: 0 };
}

/** Room beside the outermost points of a logarithmic axis. */
const logMargin = 1.15;

/** The axis of so many ratios. */
export function ratioAxis(
  ratios: readonly number[],
): Pick<NumberAxis, 'isLogarithmic' | 'strongAt' | 'ticksAt' | 'limits'> {
  const drawn = ratios.filter((ratio) => ratio > 0 && Number.isFinite(ratio));
  const limits = { min: Math.min(1, ...drawn) / logMargin, max: Math.max(1, ...drawn) * logMargin };
  return { isLogarithmic: true, strongAt: 1, ticksAt: listFactors(limits), limits };
}

/** 1, 2 and 5 times powers of ten within a range, or the powers alone where it is wide. None is at the upper end, where the numbers of another axis may begin. */
export function listFactors({ min, max }: { min: number; max: number }): number[] {
  const powers = Array.from({ length: 25 }, (_, index) => 10 ** (index - 12));
  const digits = max / min > 1000 ? [1] : [1, 2, 5];
  return powers
    .flatMap((power) => digits.map((digit) => digit * power))
    .filter((each) => each >= min && each <= max / 1.2);
}
