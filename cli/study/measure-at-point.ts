import { contrastCounts } from '../../core/comparison/counted/contrast-counts.ts';
import { readPointValues } from '../../core/comparison/network/point-values.ts';
import type { PointTraffic } from '../../core/record/point-traffic.ts';
import { meanInterval } from '../../core/statistics/mean-interval.ts';
import type { QuantityEstimate } from './quantity-estimate.ts';
import type { Quantity } from '../../core/study/quantity.ts';

/** What crossed a Capture Point per Round or, with `against`, the ratio of the two means over the Blocks that have both; null where it is not known. */
export function measureAtPoint(
  { point, figure, scenario, against }: Extract<Quantity, { kind: 'capture-point' }>,
  { points, confidence }: { points: readonly PointTraffic[]; confidence: number },
): QuantityEstimate | null {
  const valuesOf = (name: string) =>
    readPointValues(
      points.filter((each) => each.point === point && each.scenario === name),
      figure,
    );
  const own = valuesOf(scenario);
  if (own.kind === 'absent') return null;
  if (against === undefined) {
    const { mean, halfWidth, count } = meanInterval([...own.byBlock.values()], confidence);
    const interval = halfWidth === null ? null : { low: mean - halfWidth, high: mean + halfWidth };
    return { value: mean, interval, blocks: count };
  }
  const other = valuesOf(against);
  const contrast = other.kind === 'known' ? contrastCounts(own.byBlock, other.byBlock, confidence) : null;
  if (!contrast?.ratio) return null;
  const { value, low, high } = contrast.ratio;
  return { value, interval: low === null || high === null ? null : { low, high }, blocks: contrast.blocks };
}
