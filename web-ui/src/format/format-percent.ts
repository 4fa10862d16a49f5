import { formatNumber } from './format-number.ts';

/** A ratio as a percentage: 0.273 is `27 %`; below 10 % with one decimal, so that a small effect keeps its size. */
export function formatPercent(ratio: number): string {
  const percent = ratio * 100;
  return `${formatNumber(percent, Math.abs(percent) < 9.95 ? 1 : 0)}\u00A0%`;
}
