import { formatNumber } from './format-number.ts';

/** A part between 0 and 1: `43 %`. */
export function formatPercent(ratio: number): string {
  return `${formatNumber(100 * ratio, 0)}\u00A0%`;
}
