import type { ChartInks } from '../../../components/chart-inks.ts';
import { formatNumber } from '../../../format/format-number.ts';

interface ValueAxis {
  title: string;
  inks: ChartInks;
  format?: (value: number) => string;
  startsAtZero?: boolean;
  /** As a difference can, and a latency or a share cannot. */
  canBeNegative?: boolean;
}

/** A linear axis of values, its grid behind the marks. */
export function valueAxis({ title, inks, format, startsAtZero = true, canBeNegative = false }: ValueAxis) {
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
        format ? format(Number(value)) : formatNumber(Number(value), decimalsOf(ticks)),
    },
  };
}

/**
 * Whether an axis of points starts at zero: where the least of them is at most half of the greatest. Else the axis fits them, as a point has no length to be
 * read from zero. Bars always start there.
 */
export function startsAtZero(values: readonly number[]): boolean {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return values.length === 0 || least <= most / 2;
}

/** The t interval of a quantity that is never negative may reach below zero. The axis does not follow it there: the bar is cut, and the figures of the table are as computed. */
export function endAtZero(axis: { min: number; ticks: { value: number }[] }): void {
  if (axis.min >= 0) return;
  axis.min = 0;
  axis.ticks = axis.ticks.filter(({ value }) => value >= 0);
}

/** Places 1, 2, 3 … with a name each, so that marks of several Scenarios can stand side by side in one. Those at the indices of headings are bold. */
export function placeAxis(names: string[], inks: ChartInks, headings: ReadonlySet<number> = new Set()) {
  return {
    type: 'linear' as const,
    min: 0.5,
    max: names.length + 0.5,
    border: { color: inks.line },
    grid: { display: false },
    ticks: {
      color: inks.text,
      autoSkip: true,
      maxRotation: 40,
      font: ({ index }: { index: number }) => (headings.has(index) ? { weight: 'bold' as const } : {}),
      callback: (value: string | number) => shorten(names[Number(value) - 1] ?? ''),
    },
    afterBuildTicks: (axis: { ticks: { value: number }[] }) => {
      axis.ticks = names.map((_, index) => ({ value: index + 1 }));
    },
  };
}

function shorten(label: string): string {
  return label.length <= 28 ? label : `${label.slice(0, 12)}…${label.slice(-15)}`;
}

const mostDecimals = 3;

/** The decimals that distinguish all ticks. */
function decimalsOf(ticks: { value: number }[]): number {
  const isExact = (decimals: number) =>
    ticks.every(({ value }) => Math.abs(value - Number(value.toFixed(decimals))) < 10 ** -(mostDecimals + 3));
  return [0, 1, 2].find(isExact) ?? mostDecimals;
}
