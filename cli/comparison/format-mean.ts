import { readsAsZero } from '#core/statistics/reads-as-zero.ts';

/** `412 ± 9`: a mean, and the half-width of its interval where there is one; `± < 1` where it is not zero but would read so. */
export function formatMean(mean: number, halfWidth: number | null, digits: number): string {
  const shown = mean.toFixed(digits);
  if (halfWidth === null) return shown;
  return `${shown} ± ${readsAsZero(halfWidth, digits) ? `< ${(10 ** -digits).toFixed(digits)}` : halfWidth.toFixed(digits)}`;
}
