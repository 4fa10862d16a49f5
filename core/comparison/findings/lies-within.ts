import type { Estimate } from '../estimate.ts';

/** Whether the whole interval lies between two values. Without an interval it is not known to. */
export function liesWithin({ mean, halfWidth }: Estimate, { low, high }: { low: number; high: number }): boolean {
  return halfWidth !== null && mean - halfWidth >= low && mean + halfWidth <= high;
}

export function includes({ mean, halfWidth }: Estimate, value: number): boolean {
  return halfWidth !== null && Math.abs(mean - value) <= halfWidth;
}
