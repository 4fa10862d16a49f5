import { isFactor } from '#core/comparison/findings/reduction-words.ts';
import type { NumberAxis } from './plot.ts';

/** How reductions are drawn. */
export interface ReductionScale {
  toAxis: (reduction: number) => number;
  /** As ratios to the baseline, on a logarithmic axis. */
  isRatio: boolean;
  /** Where there is no difference. */
  none: number;
}

/** Reductions are as they are. Where one is more than twice the baseline, all are ratios, as percents would be thousands. */
export function scaleReductions(reductions: readonly number[]): ReductionScale {
  return reductions.some(isFactor)
    ? { toAxis: (reduction) => 1 - reduction, isRatio: true, none: 1 }
    : { toAxis: (reduction) => reduction, isRatio: false, none: 0 };
}

/** Room beside the outermost points of a logarithmic axis. */
export const logMargin = 1.15;

/** The axis of so many ratios. */
export function ratioAxis(
  ratios: readonly number[],
): Pick<NumberAxis, 'isLogarithmic' | 'strongAt' | 'ticksAt' | 'limits'> {
  const drawn = ratios.filter((ratio) => ratio > 0 && Number.isFinite(ratio));
  const limits = { min: Math.min(1, ...drawn) / logMargin, max: Math.max(1, ...drawn) * logMargin };
  return { isLogarithmic: true, strongAt: 1, ticksAt: listFactors(limits), limits };
}

/** 1, 2 and 5 times powers of ten within a range, or the powers alone where it is wide. None is at the upper end, where the numbers of another axis may begin. */
export function listFactors({ min, max }: { min: number; max: number }): number[] {
  const powers = Array.from({ length: 25 }, (_, index) => 10 ** (index - 12));
  const digits = max / min > 1000 ? [1] : [1, 2, 5];
  return powers
    .flatMap((power) => digits.map((digit) => digit * power))
    .filter((each) => each >= min && each <= max / 1.2);
}
