import { readsAsZero } from '#core/statistics/reads-as-zero.ts';
import { formatNumber } from './format-number.ts';

/** The half-width of an interval with the decimals of its mean: `± 41`, and `± < 0.1` where it is not zero but would read so. */
export function formatHalfWidth(halfWidth: number, decimals: number): string {
  const isTiny = readsAsZero(halfWidth, decimals);
  return `± ${isTiny ? `< ${formatNumber(10 ** -decimals, decimals)}` : formatNumber(halfWidth, decimals)}`;
}
