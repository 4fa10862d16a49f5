import type { Comparison } from '#core/comparison/comparison.ts';
import { pointFigures, type PointComparison } from '#core/comparison/network/point-comparison.ts';
import { listCounted } from './list-counted.ts';

/** What crossed a Capture Point per Round, as rows of a table. */
export function listPoint(
  { scenarios }: PointComparison,
  compared: Pick<Comparison, 'baseline' | 'groups'>,
): string[][] {
  return listCounted(scenarios, { catalogue: pointFigures, compared });
}
