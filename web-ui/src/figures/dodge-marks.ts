import { extentOf } from '#core/statistics/summarize-sample.ts';
import type { ArrangedFigure, FigurePanel, FigurePoint, FigureSeries } from './arranged-figure.ts';
import { keyOf } from './style-series.ts';

/** Of the whole axis, between intervals of two series at one number. */
const stepRatio = 0.008;
/** Of the least distance between two numbers, for all intervals at one of them. */
const mostRatio = 0.4;

/** Where a mark and its interval are drawn: numbers on the horizontal axis. */
interface MarkPlace {
  mark: number;
  interval: number;
}

/**
 * Where the marks of a panel are drawn, so that they and their intervals do not cover each other. At places, series stand beside each other, in the given order of
 * their keys. On an axis of numbers, marks stand where they belong, or lines would have another course. Intervals that meet stand beside each other there, by little.
 */
export function dodgeMarks(
  { choice, places }: ArrangedFigure,
  { panel, order }: { panel: FigurePanel; order: readonly string[] },
): (series: FigureSeries, point: FigurePoint) => MarkPlace {
  if (places !== null)
    return (series, { x }) => {
      const place = places.indexOf(x) + 1 + dodgeOf(order.indexOf(keyOf(series)), order.length);
      return { mark: place, interval: place };
    };
  const shifts = choice.kind === 'line' ? shiftIntervals(panel) : new Map<FigurePoint, number>();
  const onAxis = (x: number) => (choice.logX ? Math.log(x) : x);
  const placed = [...new Set(panel.series.flatMap(({ points }) => points.map(({ x }) => Number(x))))]
    .filter((x) => !choice.logX || x > 0)
    .map(onAxis)
    .sort((a, b) => a - b);
  const gaps = placed.slice(1).map((x, index) => x - placed[index]!);
  const step = Math.min(
    stepRatio * (placed.at(-1)! - placed[0]!),
    (mostRatio * extentOf(gaps)[0]) / panel.series.length,
  );
  return (_, point) => {
    const x = Number(point.x);
    const shift = (shifts.get(point) ?? 0) * (Number.isFinite(step) ? step : 0);
    return { mark: x, interval: choice.logX ? x * Math.exp(shift) : x + shift };
  };
}

/** By how many steps each interval stands beside its mark: those that meet at one number, side by side. */
function shiftIntervals({ series }: FigurePanel): Map<FigurePoint, number> {
  const intervals = series.flatMap(({ points }) =>
    points.flatMap((point) => (isInterval(point) ? [{ point, low: point.low, high: point.high }] : [])),
  );
  const shifts = new Map<FigurePoint, number>();
  for (const own of Map.groupBy(intervals, ({ point }) => point.x).values()) {
    for (const met of joinMeeting(own)) {
      const inOrder = own.filter((each) => met.includes(each));
      for (const [index, { point }] of inOrder.entries()) shifts.set(point, index - (inOrder.length - 1) / 2);
    }
  }
  return shifts;
}

function isInterval(point: FigurePoint): point is FigurePoint & { low: number; high: number } {
  return point.low !== null && point.high !== null && point.low < point.high;
}

/** Intervals in sets: each meets another of its set, and none of the other sets. */
function joinMeeting<Interval extends { low: number; high: number }>(intervals: readonly Interval[]): Interval[][] {
  const sets: { high: number; members: Interval[] }[] = [];
  for (const interval of intervals.toSorted((one, other) => one.low - other.low)) {
    const last = sets.at(-1);
    if (last && interval.low <= last.high) {
      last.members.push(interval);
      last.high = Math.max(last.high, interval.high);
    } else sets.push({ high: interval.high, members: [interval] });
  }
  return sets.map(({ members }) => members);
}

/** How far the marks of the Scenario at that place stand from the middle, in units of the distance between places. */
export function dodgeOf(order: number, count: number): number {
  return (order - (count - 1) / 2) * Math.min(0.14, 0.7 / count);
}
