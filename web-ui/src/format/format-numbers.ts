import { fewDecimals, readsAsZero } from '#core/statistics/reads-as-zero.ts';

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

/** A count with its noun: `1 Visit`, `2 400 Visits`. */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)}\u00A0${noun}${count === 1 ? '' : 's'}`;
}

/** The half-width of an interval with the decimals of its mean: `± 41`, and `± < 0.1` where it is not zero but would read so. */
export function formatHalfWidth(halfWidth: number, decimals: number): string {
  const isTiny = readsAsZero(halfWidth, decimals);
  return `± ${isTiny ? `< ${formatNumber(10 ** -decimals, decimals)}` : formatNumber(halfWidth, decimals)}`;
}

/** A mean with that: `1 107 ± 18`; `± —` where it has no interval. */
export function formatMean({ mean, halfWidth }: { mean: number; halfWidth: number | null }, decimals: number): string {
  return `${formatNumber(mean, decimals)} ${halfWidth === null ? '± —' : formatHalfWidth(halfWidth, decimals)}`;
}

/** A count of bytes in the decimal unit that fits, three digits or more: `512 B`, `41.3 kB`, `1.2 GB`. */
export function formatBytes(bytes: number): string {
  const reads = (power: number) => Math.round(bytes / 1000 ** power);
  const power = units.findIndex((unit, each) => reads(each) < 1000 || unit === units.at(-1));
  const value = bytes / 1000 ** power;
  return `${formatNumber(value, power > 0 ? fewDecimals(value) : 0)}\u00A0${units[power]!}`;
}

interface Bounded {
  /** Scenario − baseline. */
  value: number;
  low: number | null;
  high: number | null;
}

/** A difference in words, as a sign would mean less in one place and faster in another: `412 ms less`, and its interval `303 to 520`, or `8 ms less to 3 ms more` where it holds zero. */
export function describeLess(
  { value, low, high }: Bounded,
  format: (size: number) => string,
  unit: string,
): { shown: string; range: string } {
  const word = (each: number) => `${format(Math.abs(each))}${unit} ${each > 0 ? 'more' : 'less'}`;
  const shown = format(Math.abs(value)) === format(0) ? `${format(0)}${unit}` : word(value);
  if (low === null || high === null) return { shown, range: 'no interval' };
  if (low < 0 && high > 0) return { shown, range: `${word(low)} to ${word(high)}` };
  const [from, to] = [Math.abs(low), Math.abs(high)].sort((one, other) => one - other) as [number, number];
  return { shown, range: `${format(from)} to ${format(to)}${unit}` };
}

const groupSeparator = '\u202F';
/** By the count of decimals: one takes as long to make as to format a hundred numbers. */
const formats = new Map<number, Intl.NumberFormat>();

/** A number with a fixed count of decimals, thousands set apart by a thin space, a true minus sign: `2 314`, `−0.8`. */
export function formatNumber(value: number, decimals = 0): string {
  let format = formats.get(decimals);
  if (!format) {
    format = new Intl.NumberFormat('en-US', {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      signDisplay: 'negative',
    });
    formats.set(decimals, format);
  }
  return format.format(value).replaceAll(',', groupSeparator).replace('-', '−');
}
