import { formatNumber } from './format-number.ts';
import { readsAsZero } from '#core/statistics/reads-as-zero.ts';

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

/** A count of bytes in the decimal unit that fits, three digits or more: `512 B`, `41.3 kB`, `1.2 GB`. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${formatNumber(value, power > 0 && value < 100 ? 1 : 0)}\u00A0${units[power]!}`;
}
