import type { DimensionValue } from '../evaluation/figures/figure-choice.ts';
import type { LatencyOrigin } from '../metrics/latency-origin.ts';
import type { CompleteChoice } from './complete-choice.ts';
import type { FittedLine } from './fit-line.ts';

export interface FigurePoint {
  x: DimensionValue;
  y: number;
  /** Of its interval; null where there is none. */
  low: number | null;
  high: number | null;
  /** Rounds that it rests on where it has an interval, else Visits. */
  count: number;
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
