import quantile from '@stdlib/stats-base-dists-t-quantile';

/** Kept, for a report asks for the same few of them in every cell, and each takes an iteration to find. */
const known = new Map<number, Map<number, number>>();

/** The p-quantile of Student's t distribution with `degrees` degrees of freedom. */
export function tQuantile(p: number, degrees: number): number {
  let ofP = known.get(p);
  if (!ofP) known.set(p, (ofP = new Map<number, number>()));
  let value = ofP.get(degrees);
  if (value === undefined) ofP.set(degrees, (value = quantile(p, degrees)));
  return value;
}
