import type { OutlinedMean } from '#core/comparison/comparison-outline.ts';
import type { VisitPoint } from './use-visit-points.ts';

export interface StripExtent {
  low: number;
  high: number;
}

/** An axis that holds all points and intervals, with some room; null without any. */
export function stripExtent(
  points: readonly VisitPoint[],
  means: readonly (OutlinedMean | null)[],
): StripExtent | null {
  const values = [
    ...points.map(({ valueMs }) => valueMs),
    ...means.flatMap((each) => (each ? [each.mean - (each.halfWidth ?? 0), each.mean + (each.halfWidth ?? 0)] : [])),
  ].map((value) => Math.max(0, value));
  if (values.length === 0) return null;
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const room = Math.max(1, 0.05 * (most - least));
  return { low: Math.max(0, least - room), high: most + room };
}
