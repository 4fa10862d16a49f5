import { cellMeans } from './block-means.ts';
import type { Reduction } from './comparison.ts';
import { meanInterval } from './mean-interval.ts';
import type { Observation } from './observation.ts';
import { summarizeSample } from './summarize-sample.ts';

/**
 * How much less a Scenario takes than the baseline, paired by Block: within each Block the mean over (User Agent × URL) of
 * ln(scenario / baseline), over those that both have; a t interval of its mean over Blocks; as 1 − exp(…). It is thus 1 − the ratio of geometric
 * means, in which a page of 100 ms counts as much as one of 10 s. Null when no Block has both. Latencies must be positive.
 */
export function computeReduction(pair: { scenario: Iterable<Observation>; baseline: Iterable<Observation> }, confidence: number): Reduction | null {
  const baselineBlocks = Map.groupBy(pair.baseline, ({ block }) => block);
  const logRatios: number[] = [];
  for (const [block, observations] of Map.groupBy(pair.scenario, ({ block }) => block)) {
    const baselineCells = cellMeans(baselineBlocks.get(block) ?? []);
    const ratios = [...cellMeans(observations)].flatMap(([key, mean]) => {
      const baselineMean = baselineCells.get(key);
      return baselineMean === undefined ? [] : [Math.log(mean / baselineMean)];
    });
    if (ratios.length > 0) logRatios.push(summarizeSample(ratios).mean);
  }
  if (logRatios.length === 0) return null;

  const { count, mean, halfWidth } = meanInterval(logRatios, confidence);
  const toReduction = (logRatio: number) => 1 - Math.exp(logRatio);
  return {
    blocks: count,
    ratio: toReduction(mean),
    low: halfWidth === null ? null : toReduction(mean + halfWidth),
    high: halfWidth === null ? null : toReduction(mean - halfWidth),
  };
}
