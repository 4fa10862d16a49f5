import { formatNumber } from './format-number.ts';

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

/** A count of bytes in the decimal unit that fits, three digits or more: `512 B`, `41.3 kB`, `1.2 GB`. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${formatNumber(value, power > 0 && value < 100 ? 1 : 0)}\u00A0${units[power]!}`;
}
