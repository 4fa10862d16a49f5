import type { DimensionValue } from '../../../core/evaluation/figures/figure-choice.ts';
import type { LatencyOrigin } from '../../../core/metrics/latency-origin.ts';
import { tQuantile } from '../../../core/statistics/mean-interval.ts';
import { extentOf } from '../../../core/statistics/summarize-sample.ts';
import type { CompleteChoice } from './complete-choice.ts';

export interface FigurePoint {
  x: DimensionValue;
  y: number;
  /** Of its interval; null where there is none. */
  low: number | null;
  high: number | null;
  /** Rounds that it rests on where it has an interval, else Visits; null of what a paper prints. */
  count: number | null;
  /** Of a scatter, whose page this is. */
  page: string | null;
}

export interface FigureSeries {
  /** Of the dimensions that distinguish the series, in their order. */
  values: DimensionValue[];
  /** Whose Visits it has. */
  scenarios: string[];
  points: FigurePoint[];
  /** Of a scatter with two different x. */
  fit: FittedLine | null;
}

export interface FigurePanel {
  values: DimensionValue[];
  series: FigureSeries[];
}

/** A figure in numbers. */
export interface ArrangedFigure {
  choice: CompleteChoice;
  /** From when latencies count. */
  countedFrom: LatencyOrigin;
  confidence: number;
  /** The values on the horizontal axis, in order, where they are places; null where it is an axis of numbers. */
  places: DimensionValue[] | null;
  panels: FigurePanel[];
  /** Points that are not drawn because too few Visits were made for their quantile. */
  leftOutPoints: number;
  /** The reductions that stand below means, on the same horizontal axis: a panel for each panel. Null where there are none. */
  below: ArrangedFigure | null;
}

interface FittedLine {
  slope: number;
  intercept: number;
  /** The part of the variance that the line explains, from 0 to 1; null where all values are the same. */
  rSquared: number | null;
  /** Half the width of the interval of the slope; null with two points, which no line misses. */
  slopeHalfWidth: number | null;
}

/**
 * The least-squares line through points, y = intercept + slope · x, with the t interval of its slope (n − 2 degrees of freedom).
 * Null with fewer than two different x.
 */
export function fitLine(points: readonly { x: number; y: number }[], confidence: number): FittedLine | null {
  const count = points.length;
  if (new Set(points.map(({ x }) => x)).size < 2) return null;
  const meanX = sum(points.map(({ x }) => x)) / count;
  const meanY = sum(points.map(({ y }) => y)) / count;
  const squaresX = sum(points.map(({ x }) => (x - meanX) ** 2));
  const squaresY = sum(points.map(({ y }) => (y - meanY) ** 2));
  const slope = sum(points.map(({ x, y }) => (x - meanX) * (y - meanY))) / squaresX;
  const intercept = meanY - slope * meanX;
  const residuals = sum(points.map(({ x, y }) => (y - intercept - slope * x) ** 2));
  const standardError = Math.sqrt(residuals / (count - 2) / squaresX);
  return {
    slope,
    intercept,
    rSquared: squaresY === 0 ? null : 1 - residuals / squaresY,
    slopeHalfWidth: count < 3 ? null : tQuantile((1 + confidence) / 2, count - 2) * standardError,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Of the vertical axis: lines nearer than this are one line to the eye. */
const alikeRatio = 0.015;

/** Series that would be drawn on each other in every point, intervals included. Each set has the one that is drawn first; most sets have one series. */
export function joinAlike(arranged: ArrangedFigure, { series }: FigurePanel): FigureSeries[][] {
  const { choice, places } = arranged;
  const sets: FigureSeries[][] = [];
  const isOfLines = choice.kind === 'line' && places === null;
  const onAxis = (y: number) => (choice.logY ? Math.log(Math.max(y, Number.MIN_VALUE)) : y);
  const span = spanOf(arranged, onAxis);
  const isNear = (one: number, other: number) => Math.abs(onAxis(one) - onAxis(other)) <= alikeRatio * span;
  for (const each of series) {
    const set = isOfLines ? sets.find(([first]) => isAlike(first!, each, isNear)) : undefined;
    if (set) set.push(each);
    else sets.push([each]);
  }
  return sets;
}

/** Of the vertical axis, which begins at zero or below the least. */
function spanOf({ panels, choice }: ArrangedFigure, onAxis: (y: number) => number): number {
  const points = panels.flatMap(({ series }) => series.flatMap((each) => each.points));
  const values = points.flatMap((point) => valuesOf(point)).filter((y) => !choice.logY || y > 0);
  const [least, most] = extentOf(values);
  return onAxis(most) - (choice.logY || least > most / 2 ? onAxis(least) : Math.min(0, least));
}

function isAlike(one: FigureSeries, other: FigureSeries, isNear: (one: number, other: number) => boolean): boolean {
  if (one.points.length < 2 || one.points.length !== other.points.length) return false;
  return one.points.every((point, index) => {
    const beside = other.points[index]!;
    const values = valuesOf(beside);
    return point.x === beside.x && valuesOf(point).every((value, end) => isNear(value, values[end]!));
  });
}

function valuesOf({ y, low, high }: FigurePoint): [number, number, number] {
  return [y, low ?? y, high ?? y];
}
