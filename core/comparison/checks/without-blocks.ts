import type { Comparison } from '../comparison.ts';
import { changeOf, rangeOf } from '../findings/reduction-words.ts';
import { computeReduction } from '../latencies/compute-reduction.ts';

interface Without {
  /** Whether a reduction changes by more than half of its interval’s half-width, or nothing is left to say so. */
  moves: boolean;
  text: string;
}

/**
 * What the reductions are without some Blocks, in a sentence: the one that changes most. Of the Blocks that are left, each counts as before, and the intervals
 * are those of so many Blocks.
 */
export function stateWithout(
  { metrics, primaryMetric, intervalConfidence }: Pick<Comparison, 'metrics' | 'primaryMetric' | 'intervalConfidence'>,
  doubtful: readonly number[],
): Without {
  const left = new Set(doubtful);
  const compared = metrics.find(({ metric }) => metric === primaryMetric)!.scenarios;
  if (compared.every(({ isBaseline }) => isBaseline)) return { moves: false, text: 'Nothing is compared.' };
  const changes = compared.flatMap(({ scenario, reduction, contrast }) => {
    if (!reduction || !contrast) return [];
    const rest = contrast.blocks.filter(({ block }) => !left.has(block));
    const without = computeReduction(
      Float64Array.from(rest, (of) => Math.log1p(-of.reduction)),
      intervalConfidence,
    );
    return [{ scenario, reduction, without, leftOut: contrast.blocks.length - rest.length }];
  });
  const affected = changes.filter(({ leftOut }) => leftOut > 0);
  if (changes.length === 0) return { moves: true, text: 'By how much the reduction changes is not known.' };
  if (affected.length === 0) return { moves: false, text: 'No Block of the reduction is affected.' };
  const known = affected.flatMap(({ without, ...change }) =>
    without && without.low !== null && without.high !== null
      ? [{ ...change, without, low: without.low, high: without.high }]
      : [],
  );
  if (known.length < affected.length)
    return { moves: true, text: 'Almost every Block is affected, so none shows what the reduction is without.' };
  const moveOf = ({ reduction, without }: (typeof known)[0]) => Math.abs(without.ratio - reduction.ratio);
  const most = known.toSorted((one, other) => moveOf(other) - moveOf(one))[0]!;
  const { scenario, reduction, without, low, high, leftOut } = most;
  const halfWidth = reduction.low === null || reduction.high === null ? 0 : (reduction.high - reduction.low) / 2;
  return {
    moves: known.some((each) => moveOf(each) > halfWidth / 2),
    text: `Without ${leftOut === 1 ? 'this Block' : `these ${leftOut} Blocks`}, ${scenario} takes ${changeOf(without.ratio)} (${rangeOf({ ratio: without.ratio, low, high })}), not ${changeOf(reduction.ratio)}.`,
  };
}
