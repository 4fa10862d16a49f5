import { formatNumber } from './format-number.ts';
import { describeLess } from './format-numbers.ts';
import type { Reduction } from '#core/comparison/comparison.ts';

const percentSign = '\u00A0%';

/** A ratio as a percentage: 0.273 is `27 %`; below 10 % with one decimal, so that a small effect keeps its size. */
export function formatPercent(ratio: number): string {
  const percent = ratio * 100;
  return `${formatNumber(percent, Math.abs(percent) < 9.95 ? 1 : 0)}\u00A0%`;
}

/** The confidence of an interval as a percentage: `95 %`, `99.5 %`; with as many decimals as it takes not to become 100 %. */
export function formatConfidence(ratio: number): string {
  // 0.999 * 100 is 99.90000000000001 or less, as binary fractions go.
  const percent = Number((ratio * 100).toFixed(6));
  const decimals = Number.isInteger(percent) ? 0 : Math.max(1, Math.ceil(-Math.log10(100 - percent) - 1e-6));
  return `${formatNumber(percent, decimals)}\u00A0%`;
}

type Bounded = Pick<Reduction, 'ratio' | 'low' | 'high'>;

/** More than twice as much is easier to grasp as a factor than in percent. */
export const isFactor = (reduction: number) => reduction < -1;

/** What a reduction is of a time: `27 % less`, and its interval `24 to 30 %`; or `14 × as much`, and `12 to 16 ×`. */
export function describeReduction({ ratio, low, high }: Bounded): { shown: string; range: string } {
  if (isFactor(ratio)) {
    const [least, own, most] = [high, ratio, low].map((each) => {
      const factor = 1 - (each ?? 0);
      return formatNumber(factor, factor < 9.95 ? 1 : 0);
    });
    const range = low === null || high === null ? 'no interval' : `${least!} to ${most!}\u00A0×`;
    return { shown: `${own!}\u00A0× as much`, range };
  }
  return describeLess(
    { value: -ratio, low: high === null ? null : -high, high: low === null ? null : -low },
    (size) => formatPercent(size).replace(percentSign, ''),
    percentSign,
  );
}

/** A reduction with its interval: `27 % less (24 to 30 %)`. */
export function formatReduction(reduction: Bounded): string {
  const { shown, range } = describeReduction(reduction);
  return reduction.low === null ? `${shown}, ${range}` : `${shown} (${range})`;
}
