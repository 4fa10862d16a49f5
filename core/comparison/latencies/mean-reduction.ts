import { z } from 'zod';
import { fiellerInterval } from '../../statistics/fieller-interval.ts';
import { averagePages, type PagePair } from './compute-reduction.ts';

/**
 * How much less (or, negative, more) time a Scenario takes than the baseline by arithmetic means, as papers usually print it: 1 − the ratio of the means over URLs, User
 * Agents and Blocks that both have, with Fieller's interval of pairs of Blocks. A slow page weighs more than a fast one. It tests nothing: the verdict is that of the reduction.
 */
export const MeanReductionSchema = z.object({
  blocks: z.number().int(),
  ratio: z.number(),
  /** Null where there is no interval: with fewer than 2 Blocks, and where the baseline's mean is not distinct from 0. */
  low: z.number().nullable(),
  high: z.number().nullable(),
});
export type MeanReduction = z.infer<typeof MeanReductionSchema>;

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
