import { fiellerInterval } from '../../statistics/fieller-interval.ts';
import { averagePages } from './average-pages.ts';
import type { PagePair } from './compute-reduction.ts';
import type { MeanReduction } from './mean-reduction.ts';

/** The reduction of arithmetic means. Null when no Block has both, and where the baseline takes no time. */
export function computeMeanReduction(pairs: readonly PagePair[], confidence: number): MeanReduction | null {
  const measured = pairs.filter(({ scenario, baseline }) => scenario.values.length > 0 && baseline.values.length > 0);
  // A page counts in the Blocks in which both have a value.
  const valuesOf = (side: keyof PagePair, other: keyof PagePair) =>
    averagePages(
      measured.map((pair) =>
        pair[side].byBlock.map((value, block) => (Number.isNaN(pair[other].byBlock[block]!) ? NaN : value)),
      ),
    );
  const [own, theirs] = [valuesOf('scenario', 'baseline'), valuesOf('baseline', 'scenario')];
  const blocks = [...own].flatMap((x, block) => (Number.isNaN(x) ? [] : [{ x, y: theirs[block]! }]));
  const sum = (side: 'x' | 'y') => blocks.reduce((total, each) => total + each[side], 0);
  if (blocks.length === 0 || !(sum('x') > 0) || !(sum('y') > 0)) return null;
  const { count, ratio, low, high } = fiellerInterval(blocks, confidence);
  return {
    blocks: count,
    ratio: 1 - ratio,
    low: high === null ? null : 1 - high,
    high: low === null ? null : 1 - low,
  };
}
