import { formatNumber } from './format-number.ts';

/** A count with its noun: `1 Visit`, `2 400 Visits`. */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)}\u00A0${noun}${count === 1 ? '' : 's'}`;
}
