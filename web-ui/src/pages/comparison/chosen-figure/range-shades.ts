import type { ArrangedFigure, FigurePoint } from '#web-ui/src/figures/arranged-figure.ts';
import { measures } from '#core/metrics/measures.ts';

export interface Shade {
  colour: string;
  opacity: number;
}

/** How a heat map shows values as shades. */
export interface ShadeRange {
  least: number;
  most: number;
  /** Of any value in the range. */
  shadeOf: (value: number) => Shade;
  /** Of a cell: none where the interval of a reduction has zero in it. */
  shadeOfPoint: (point: FigurePoint) => Shade | null;
  /** Which way the values below and above zero are; null where values are not reductions. */
  words: { below: string; above: string } | null;
}

/** The strongest shade leaves the text on it readable. */
const strongest = 0.55;
const weakest = 0.08;
const [better, worse] = ['#2563eb', '#d9650b'];

/** Of a reduction the shade is by its sign and size, else by the place of a value between the least and the greatest. */
export function rangeShades({ choice, panels }: ArrangedFigure): ShadeRange {
  const values = panels.flatMap(({ series }) => series.flatMap(({ points }) => points.map(({ y }) => y)));
  const between = (ratio: number) => weakest + (strongest - weakest) * ratio;
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (choice.statistic === 'reduction') {
    const furthest = Math.max(...values.map(Math.abs));
    const shadeOf = (value: number) => ({
      colour: value > 0 ? better : worse,
      opacity: between(furthest === 0 ? 0 : Math.abs(value) / furthest),
    });
    return {
      least: Math.min(0, least),
      most: Math.max(0, most),
      shadeOf,
      shadeOfPoint: ({ y, low, high }) =>
        low === null || high === null || (low <= 0 && high >= 0) ? null : shadeOf(y),
      words: nameDirections(choice.y),
    };
  }
  const shadeOf = (value: number) => ({
    colour: better,
    opacity: between(most === least ? 0 : (value - least) / (most - least)),
  });
  return { least, most, shadeOf, shadeOfPoint: ({ y }) => shadeOf(y), words: null };
}

/** What a reduction below and above zero is. */
export function nameDirections(measure: ArrangedFigure['choice']['y']): { below: string; above: string } {
  return measures[measure].unit === 'ms' ? { below: 'slower', above: 'faster' } : { below: 'more', above: 'less' };
}
