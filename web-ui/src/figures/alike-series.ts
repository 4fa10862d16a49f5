import type { ArrangedFigure, FigurePanel, FigurePoint, FigureSeries } from './arranged-figure.ts';

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
  const [least, most] = [Math.min(...values), Math.max(...values)];
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
