import type { NumberAxis, Plot, PlotLayer } from './plot.ts';

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
