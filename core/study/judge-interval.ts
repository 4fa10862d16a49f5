import type { Bound } from './bound.ts';
import type { QuantityEstimate } from './quantity-estimate.ts';
import type { StudyVerdict } from './verdict.ts';

/**
 * Judges a claim by the interval of what was measured: confirmed only if the whole interval is within the bound, contradicted only if none of it is. Without an interval
 * (fewer than two Rounds) nothing is shown either way.
 */
export function judgeInterval(estimate: QuantityEstimate | null, bound: Bound): StudyVerdict {
  if (estimate === null) return 'not-measured';
  if (estimate.interval === null) return 'not-confirmed';
  const { low, high } = estimate.interval;
  const { above = -Infinity, below = Infinity } = bound;
  if (low > above && high < below) return 'confirmed';
  return high <= above || low >= below ? 'contradicted' : 'not-confirmed';
}
