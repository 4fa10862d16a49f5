import { formatNumber } from './format-number.ts';

/** The confidence of an interval as a percentage: `95 %`, `99.5 %`; with as many decimals as it takes not to become 100 %. */
export function formatConfidence(ratio: number): string {
  // 0.999 * 100 is 99.90000000000001 or less, as binary fractions go.
  const percent = Number((ratio * 100).toFixed(6));
  const decimals = Number.isInteger(percent) ? 0 : Math.max(1, Math.ceil(-Math.log10(100 - percent) - 1e-6));
  return `${formatNumber(percent, decimals)}\u00A0%`;
}
