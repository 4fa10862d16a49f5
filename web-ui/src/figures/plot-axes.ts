import type { Chart, FontSpec } from 'chart.js';
import { toFont } from 'chart.js/helpers';
import { extentOf } from '#core/statistics/summarize-sample.ts';
import type { ChartInks } from '../components/chart-inks.ts';
import { formatNumber } from '../format/format-numbers.ts';
import { formatTime } from '../format/format-times.ts';
import { breakLines, describeCategories, describeGroups, describePlaces, keepWidth } from './place-names.ts';
import { formatDecimals } from './name-figure.ts';
import type { NumberAxis, Plot, PlotAxis, TimeAxis, PlotLayer } from './plot.ts';

/** The vertical axis of the layers below the others. */
export const belowAxis = 'below';

export function describeAxes(plot: Plot, inks: ChartInks) {
  const { below } = plot;
  const x = wrapTitle(describeAxis(writeUnit(plot, 'x'), inks, 'x'), 'x');
  const y = describeAxis(writeUnit(plot, 'y'), inks, 'y');
  const groups = plot.x.kind === 'categories' ? plot.x.groups : undefined;
  if (groups) return { x, y: wrapTitle(y, 'besideNames'), groups: describeGroups(groups, inks) };
  if (!below) return { x, y: wrapTitle(y, plot.x.kind === 'categories' ? 'besideNames' : 'y') };
  const stacked = { position: 'left' as const, stack: 'below each other' };
  return {
    x,
    // Keeps the outermost numbers of both axes apart.
    [belowAxis]: { ...wrapTitle(describeAxis(below, inks, 'y'), 'lower'), ...stacked, stackWeight: 1, offset: true },
    // The first axis of a stack is the lowest.
    y: { ...wrapTitle(y, 'upper'), ...stacked, stackWeight: 2 },
  };
}

/** How long an axis is at least, of the width or the height of the drawing. */
const axisRatios = { x: 0.5, y: 0.65, besideNames: 0.45, upper: 0.42, lower: 0.25 };

/** A title in as many lines as its axis has room for, on a page and saved. Chart.js squeezes a longer one, and of two axes below each other one covers that of the other. */
function wrapTitle<Scale extends object>(scale: Scale, place: keyof typeof axisRatios): Scale {
  const { title } = scale as { title?: { text: string } };
  if (!title) return scale;
  const text = ({ chart }: { chart: Chart }) => {
    const alongPx = axisRatios[place] * (place === 'x' ? chart.width : chart.height);
    const { ctx } = chart;
    ctx.save();
    ctx.font = readFont(chart).string;
    const lines = breakLines(title.text, (line) => ctx.measureText(line).width <= alongPx);
    ctx.restore();
    return lines;
  };
  return { ...scale, title: { ...title, text } };
}

/** What its axes are written in. */
export function readFont({ options }: Chart): { size: number; family: string; string: string } {
  return toFont(options.font as Partial<FontSpec>);
}

/** An axis of numbers with its unit in its title, and what its numbers are divided by. */
function writeUnit(plot: Plot, side: 'x' | 'y'): PlotAxis & { factor?: number } {
  const unit = chooseUnit(plot, side);
  const axis = plot[side];
  return unit && axis.kind === 'numbers'
    ? { ...axis, title: `${axis.title}, ${unit.name}`, factor: unit.factor }
    : axis;
}

function describeAxis(axis: PlotAxis & { factor?: number }, inks: ChartInks, side: 'x' | 'y') {
  switch (axis.kind) {
    case 'places':
      return describePlaces(axis, inks);
    case 'categories':
      return describeCategories(axis, inks, side);
    case 'numbers':
      return describeNumbers(axis, inks);
    case 'times':
      return describeTimes(axis, inks);
  }
}

function describeNumbers(axis: NumberAxis & { factor?: number }, inks: ChartInks) {
  const {
    ticksAt,
    title,
    factor = 1,
    isLogarithmic,
    isReversed,
    strongAt,
    hasGrid = true,
    hasEnds = true,
    isStacked,
    widthPx,
    limits,
  } = axis;
  const scale = isLogarithmic ? logarithmicAxis({ title, factor, inks }) : valueAxis({ ...axis, inks });
  return {
    ...scale,
    ...(!hasGrid && { grid: { display: false, color: inks.line } }),
    ...(ticksAt && {
      afterBuildTicks: (axis: TickedAxis) => {
        const onAxis = isLogarithmic ? Math.log : (value: number) => value;
        axis.ticks = spreadTicks(ticksAt, onAxis).map((value) => ({ value }));
      },
    }),
    ...(strongAt !== undefined && {
      grid: { color: ({ tick }: { tick: { value: number } }) => (tick.value === strongAt ? inks.text : inks.line) },
      ...(!ticksAt && {
        afterBuildTicks: (axis: TickedAxis) => {
          if ('afterBuildTicks' in scale) scale.afterBuildTicks(axis);
          keepTick(axis, strongAt);
        },
      }),
    }),
    ticks: {
      ...scale.ticks,
      ...(ticksAt && {
        autoSkip: false,
        maxRotation: 0,
        callback: (value: string | number) => formatDecimals(Number(value) / factor),
      }),
      ...(!hasEnds && { includeBounds: false }),
      ...(strongAt !== undefined && { major: { enabled: true } }),
    },
    ...(widthPx !== undefined && keepWidth(widthPx)),
    ...(isStacked && { stacked: true }),
    ...(isReversed && { reverse: true }),
    ...limits,
  };
}

const dayMs = 86_400_000;
const mostTimes = 6;

function describeTimes({ epochMs: positions }: TimeAxis, inks: ChartInks) {
  const first = Math.min(...positions);
  const last = Math.max(...positions);
  const margin = Math.max((last - first) * 0.04, 60_000);
  const isShort = last - first < 2 * dayMs;
  const count = Math.min(mostTimes, Math.max(1, new Set(positions).size));
  return {
    type: 'linear' as const,
    min: first - margin,
    max: last + margin,
    border: { color: inks.line },
    grid: { display: false },
    ticks: {
      color: inks.text,
      maxRotation: 0,
      callback: (value: string | number) =>
        formatTime(new Date(Number(value)).toISOString()).slice(0, isShort ? 16 : 10),
    },
    afterBuildTicks: (axis: { ticks: { value: number }[] }) => {
      axis.ticks = Array.from({ length: count }, (_, index) => ({
        value: count === 1 ? first : first + ((last - first) * index) / (count - 1),
      }));
    },
  };
}

interface TickedAxis {
  min: number;
  max: number;
  ticks: { value: number; major?: boolean }[];
}

/** A narrow axis leaves out ticks, and none that is a major one. */
export function keepTick(axis: TickedAxis, kept: number): void {
  if (kept < axis.min || kept > axis.max) return;
  const others = axis.ticks.filter(({ value }) => Math.abs(value - kept) > 1e-9 * (axis.max - axis.min));
  axis.ticks = [...others.map(({ value }) => ({ value })), { value: kept, major: true }].sort(
    (one, other) => one.value - other.value,
  );
}

/** Of the whole axis, for each letter of a number and the room beside it. */
const letterRatio = 0.02;

/** Numbers that have room beside each other on an axis: the greatest and, from the least, each that is far enough from those before. */
export function spreadTicks(values: readonly number[], onAxis: (value: number) => number): number[] {
  const sorted = [...new Set(values)].sort((a, b) => a - b);
  const most = sorted.at(-1)!;
  const span = onAxis(most) - onAxis(sorted[0]!);
  const isFar = (one: number, other: number) =>
    onAxis(other) - onAxis(one) >= letterRatio * span * (formatDecimals(other).length + 1);
  const kept: number[] = [];
  for (const value of sorted) if (kept.length === 0 || isFar(kept.at(-1)!, value)) kept.push(value);
  while (kept.length > 1 && kept.at(-1)! < most && !isFar(kept.at(-1)!, most)) kept.pop();
  return kept.at(-1)! < most ? [...kept, most] : kept;
}

interface ValueAxis extends Pick<NumberAxis, 'title' | 'format' | 'startsAtZero' | 'canBeNegative'> {
  inks: ChartInks;
  /** What values are divided by where they are written. */
  factor?: number;
}

/** A linear axis of values, its grid behind the marks. */
export function valueAxis({ title, inks, format, factor = 1, startsAtZero = true, canBeNegative = false }: ValueAxis) {
  return {
    type: 'linear' as const,
    beginAtZero: startsAtZero,
    title: { display: title !== '', text: title, color: inks.text },
    border: { display: false },
    grid: { color: inks.line },
    ...(!canBeNegative && { afterBuildTicks: endAtZero }),
    ticks: {
      color: inks.text,
      callback: (value: string | number, _index: number, ticks: { value: number }[]) =>
        format ? format(Number(value)) : formatNumber(Number(value) / factor, decimalsOf(ticks, factor)),
    },
  };
}

function logarithmicAxis({ title, factor, inks }: { title: string; factor: number; inks: ChartInks }) {
  return {
    type: 'logarithmic' as const,
    title: { display: true, text: title, color: inks.text },
    border: { display: false },
    grid: { color: inks.line },
    ticks: {
      color: inks.text,
      maxRotation: 0,
      // Of each power of ten the ticks 1, 2 and 5 have a number.
      callback: (value: string | number) => {
        const first = Number(value) / 10 ** Math.floor(Math.log10(Number(value)) + 1e-9);
        return [1, 2, 5].some((digit) => Math.abs(first - digit) < 1e-6) ? formatDecimals(Number(value) / factor) : '';
      },
    },
  };
}

/**
 * Whether an axis of points starts at zero: where the least of them is at most half of the greatest. Else the axis fits them, as a point has no length to be
 * read from zero. Bars always start there.
 */
export function startsAtZero(values: readonly number[]): boolean {
  const [least, most] = extentOf(values);
  return values.length === 0 || least <= most / 2;
}

/** The t interval of a quantity that is never negative may reach below zero. The axis does not follow it there: the bar is cut, and the figures of the table are as computed. */
export function endAtZero(axis: { min: number; ticks: { value: number }[] }): void {
  if (axis.min >= 0) return;
  axis.min = 0;
  axis.ticks = axis.ticks.filter(({ value }) => value >= 0);
}

const mostDecimals = 3;

/** The fewest decimals that write all ticks as they are, else those that distinguish them, at most six. */
function decimalsOf(ticks: { value: number }[], factor: number): number {
  const written = ticks.map(({ value }) => value / factor);
  const isExact = (decimals: number) =>
    written.every((value) => Math.abs(value - Number(value.toFixed(decimals))) < 10 ** -(mostDecimals + 3));
  const isDistinct = (decimals: number) =>
    new Set(written.map((value) => value.toFixed(decimals))).size === written.length;
  return [0, 1, 2].find(isExact) ?? [mostDecimals, 4, 5].find(isDistinct) ?? 6;
}

/** The unit that an axis is written in. */
interface AxisUnit {
  name: string;
  /** Of the unit in which its values are kept. */
  factor: number;
}

/** Each from its least greatest value. */
const units: Record<NonNullable<NumberAxis['unit']>, (AxisUnit & { from: number })[]> = {
  ms: [
    { name: 's', factor: 1000, from: 10_000 },
    { name: 'ms', factor: 1, from: 0 },
  ],
  bytes: [
    { name: 'GB', factor: 1e9, from: 1e9 },
    { name: 'MB', factor: 1e6, from: 1e6 },
    { name: 'kB', factor: 1000, from: 2000 },
    { name: 'bytes', factor: 1, from: 0 },
  ],
};

/** The unit in which the numbers of an axis are short, by the greatest of its plot; null where it has none. Panels have it alike if they have limits alike. */
export function chooseUnit(plot: Plot, side: 'x' | 'y'): AxisUnit | null {
  const axis = plot[side];
  if (axis.kind !== 'numbers' || axis.unit === undefined) return null;
  const { max, suggestedMax } = axis.limits ?? {};
  const values = plot.layers.filter(({ isBelow }) => !isBelow).flatMap((layer) => valuesOf(layer, side));
  const most = [...values, max, suggestedMax].reduce<number>(
    (greatest, value) => (Number.isFinite(value) ? Math.max(greatest, Math.abs(value!)) : greatest),
    0,
  );
  return units[axis.unit].find(({ from }) => most >= from)!;
}

function valuesOf(layer: PlotLayer, side: 'x' | 'y'): (number | null | undefined)[] {
  if (layer.kind === 'boxes') return side === 'y' ? layer.boxes.map(({ max }) => max) : [];
  if (layer.kind === 'parts' || layer.kind === 'stretches') return [];
  return layer.marks.flatMap(({ x, y, yMax, xMax }) => (side === 'y' ? [y, yMax] : [Number(x), xMax]));
}
