import type { Reduction } from '#core/comparison/comparison.ts';
import { formatPercent } from './format-percent.ts';

/** A reduction with its interval: `27 % (24 % to 30 %)`. */
export function formatReduction({ ratio, low, high }: Pick<Reduction, 'ratio' | 'low' | 'high'>): string {
  return low === null || high === null
    ? `${formatPercent(ratio)}, no interval`
    : `${formatPercent(ratio)} (${formatPercent(low)} to ${formatPercent(high)})`;
}
