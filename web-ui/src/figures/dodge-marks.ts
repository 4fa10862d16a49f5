import type { ArrangedFigure, FigurePanel } from './arranged-figure.ts';

/** Of the whole axis, between marks of two series at one number. */
const stepRatio = 0.012;
/** Of the least distance between two numbers, for all marks at one of them. */
const mostRatio = 0.4;

/** How far each series stands beside the place that its marks belong to, so that error bars do not cover each other. */
export interface Dodge {
  /** Where the mark of the series with that index is drawn. */
  place: (x: number, order: number, count: number) => number;
  /** The room that the marks at the ends of an axis of numbers need. */
  margin: number;
}

/** Marks at places stand apart by their distance. On an axis of numbers marks with intervals do, by little; on a logarithmic one by the same factor. */
export function dodgeMarks({ choice, places, panels }: ArrangedFigure): Dodge {
  if (places !== null) return { place: (x, order, count) => x + dodgeOf(order, count), margin: 0 };
  const most = Math.max(0, ...panels.map(({ series }) => series.length));
  if (choice.kind !== 'line' || most < 2 || !panels.some(hasIntervals)) return { place: (x) => x, margin: 0 };
  const onAxis = (x: number) => (choice.logX ? Math.log(x) : x);
  const numbers = [...new Set(panels.flatMap(numbersOf))].filter((x) => !choice.logX || x > 0).sort((a, b) => a - b);
  const placed = numbers.map(onAxis);
  const gaps = placed.slice(1).map((x, index) => x - placed[index]!);
  if (gaps.length === 0) return { place: (x) => x, margin: 0 };
  const range = placed.at(-1)! - placed[0]!;
  const step = Math.min(stepRatio * range, (mostRatio * Math.min(...gaps)) / most);
  return {
    place: (x, order, count) => {
      const shift = (order - (count - 1) / 2) * step;
      return choice.logX ? x * Math.exp(shift) : x + shift;
    },
    margin: choice.logX ? 0 : (step * most) / 2,
  };
}

function hasIntervals({ series }: FigurePanel): boolean {
  return series.some(({ points }) => points.some(({ low, high }) => low !== null && high !== null && low < high));
}

function numbersOf({ series }: FigurePanel): number[] {
  return series.flatMap(({ points }) => points.map(({ x }) => Number(x)));
}

/** How far the marks of the Scenario at that place stand from the middle, in units of the distance between places. */
export function dodgeOf(order: number, count: number): number {
  return (order - (count - 1) / 2) * Math.min(0.14, 0.7 / count);
}
