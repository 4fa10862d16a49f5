import { fewDecimals } from '#core/statistics/reads-as-zero.ts';
import type { Estimate } from '#core/comparison/comparison.ts';
import { formatReduction, type BoundedReduction } from '#core/comparison/findings/reduction-words.ts';
import type { Verdict } from '#core/comparison/latencies/contrast.ts';
import type { ScenarioFailedObjects } from '#core/comparison/failed-objects/failed-objects.ts';
import { readsAsZero } from '#core/statistics/reads-as-zero.ts';

/** The mark for a figure that was not measured. */
export const absent = '—';

/** `412 ± 9`: a mean in ms and the half-width of its interval, which one Round cannot give. Tenths only below 100 ms. */
export function formatEstimate(estimate: Estimate | null): string {
  if (estimate === null) return absent;
  return formatMean(estimate.mean, estimate.halfWidth, fewDecimals(estimate.mean));
}

/** `23 % less (19 to 27 %)`; or that the two cannot be compared. */
export function showReduction(reduction: BoundedReduction | null, verdict?: Verdict): string {
  if (verdict === 'not-comparable') return 'not comparable';
  return reduction === null ? absent : formatReduction(reduction);
}

/** `69, 9 lost`: of all Visits, and how many of them other Visits of their page received. */
export function formatFailedObjects(counts: ScenarioFailedObjects | undefined): string {
  if (!counts || counts.visits === 0) return absent;
  return counts.lostObjects === 0
    ? String(counts.failedObjects)
    : `${counts.failedObjects}, ${counts.lostObjects} lost`;
}

/** `412 ± 9`: a mean, and the half-width of its interval where there is one; `± < 1` where it is not zero but would read so. */
export function formatMean(mean: number, halfWidth: number | null, digits: number): string {
  const shown = mean.toFixed(digits).replace('-', Math.abs(mean) < 10 ** -digits / 2 ? '' : '−');
  if (halfWidth === null) return shown;
  return `${shown} ± ${readsAsZero(halfWidth, digits) ? `< ${(10 ** -digits).toFixed(digits)}` : halfWidth.toFixed(digits)}`;
}
