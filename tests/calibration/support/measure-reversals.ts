import { adjustReductions } from '#core/comparison/latencies/adjust-reductions.ts';
import { computeReduction } from '#core/comparison/latencies/compute-reduction.ts';
import { findReversal } from '#core/comparison/latencies/judge-family.ts';
import { RandomSource } from './random-source.ts';
import { confidence } from './simulate-run.ts';

const [pages, blocks] = [12, 10];
/** Standard deviations of the log ratio of a page in a Block: what all pages of the Block share, and its own. */
const variation = { ofBlock: 0.05, ofPage: 0.05 };

/**
 * How often a Run of 12 pages in 10 Blocks states that some are faster and others slower, where so many take 20 % less time and so many 20 % more; the others do not
 * differ, and the pages of a Block share half of the variance.
 */
export function measureReversals({
  runs,
  seed,
  faster,
  slower,
}: {
  runs: number;
  seed: number;
  faster: number;
  slower: number;
}): number {
  const random = new RandomSource(seed);
  let found = 0;
  for (let run = 0; run < runs; run++) {
    const ofBlocks = Array.from({ length: blocks }, () => variation.ofBlock * random.normal());
    const compared = Array.from({ length: pages }, (_, page) => {
      const effect = Math.log(page < faster ? 0.8 : page < faster + slower ? 1.2 : 1);
      const logRatios = Float64Array.from(ofBlocks, (ofBlock) => effect + ofBlock + variation.ofPage * random.normal());
      return { url: String(page), label: String(page), reduction: computeReduction(logRatios, confidence) };
    });
    const adjusted = adjustReductions(
      compared.map(({ reduction }) => reduction),
      1,
    );
    found += Number(
      findReversal(
        compared.map((page) => ({ ...page, reduction: adjusted.get(page.reduction!)! })),
        { alpha: 1 - confidence, comparisons: pages },
      ) !== null,
    );
  }
  return found / runs;
}
