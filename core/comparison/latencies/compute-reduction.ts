import { z } from 'zod';
import { fiellerInterval } from '../../statistics/fieller-interval.ts';
import type { Reduction } from './reduction.ts';
import type { CellData } from '../cells/gather-cells.ts';
import { meanInterval, tTest } from '../../statistics/mean-interval.ts';

/** A page of one User Agent under a Scenario and under the baseline. */
export interface PagePair {
  scenario: CellData;
  baseline: CellData;
}

/** The pages that both Scenarios have, each with its counterpart. All cells are of one gathering. */
export function pairPages(scenario: readonly CellData[], baseline: readonly CellData[]): PagePair[] {
  const counterparts = new Map(baseline.map((cell) => [cell.page, cell]));
  return scenario.flatMap((cell) => {
    const counterpart = counterparts.get(cell.page);
    return counterpart ? [{ scenario: cell, baseline: counterpart }] : [];
  });
}

/** ln(scenario / baseline) of each Block that has both, over all pages, by index of the Block; NaN elsewhere. A latency of 0, which a coarse clock can give, has no ratio and counts as missing. */
export function logRatiosByBlock(pairs: readonly PagePair[]): Float64Array {
  return averagePages(
    pairs.map(({ scenario, baseline }) =>
      scenario.byBlock.map((value, block) => logRatio(value, baseline.byBlock[block]!)),
    ),
  );
}

/** NaN where one of them is missing or 0. */
export function logRatio(value: number, baseline: number): number {
  return value > 0 && baseline > 0 ? Math.log(value / baseline) : NaN;
}

/**
 * How much less a Scenario takes than the baseline, from one log ratio per Block: a t interval of their mean, as 1 − exp(…). It is thus 1 − the ratio of geometric
 * means, in which a page of 100 ms counts as much as one of 10 s. Null when no Block has both.
 */
export function computeReduction(logRatios: Float64Array, confidence: number): Reduction | null {
  const values = presentValues(logRatios);
  if (values.length === 0) return null;
  const { count, mean, halfWidth } = meanInterval(values, confidence);
  return {
    blocks: count,
    ratio: toReduction(mean),
    low: halfWidth === null ? null : toReduction(mean + halfWidth),
    high: halfWidth === null ? null : toReduction(mean - halfWidth),
    p: tTest(values),
    adjustedP: null,
  };
}

/** 1 − e^logRatio, exact for small changes too. A bound from two Rounds far apart can be beyond all numbers: then the last of them, as JSON has no infinity. */
export function toReduction(logRatio: number): number {
  return Math.max(-Math.expm1(logRatio), -Number.MAX_VALUE);
}

/**
 * One value per Block from those of several pages (a page of one User Agent, each counting alike), by index of the Block; NaN marks what is missing. Where all are there it is their mean. A
 * page that is missing in a Block counts there with its own mean over the other Blocks, moved by as much as the pages that are there differ from their own
 * means: otherwise a Block in which the slowest page failed would look fast. NaN for a Block that has no page.
 */
export function averagePages(pages: readonly Float64Array[]): Float64Array {
  const present = pages.flatMap((values) => {
    const mean = meanOfPresent(values);
    return mean === null ? [] : [{ values, mean }];
  });
  const blockCount = pages[0]?.length ?? 0;
  const deviations = new Float64Array(blockCount);
  const counts = new Uint32Array(blockCount);
  for (const { values, mean } of present)
    for (let block = 0; block < blockCount; block++) {
      const value = values[block]!;
      if (Number.isNaN(value)) continue;
      deviations[block]! += value - mean;
      counts[block]!++;
    }
  const grandMean = present.reduce((sum, { mean }) => sum + mean, 0) / present.length;
  return deviations.map((deviation, block) => (counts[block] === 0 ? NaN : grandMean + deviation / counts[block]!));
}

function meanOfPresent(values: Float64Array): number | null {
  let [sum, count] = [0, 0];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  return count === 0 ? null : sum / count;
}

/** The values that are there, in the order of the Blocks. */
export function presentValues(byBlock: Float64Array): number[] {
  return [...byBlock].filter((value) => !Number.isNaN(value));
}

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
type MeanReduction = z.infer<typeof MeanReductionSchema>;

/** The mean of the Scenario (x) and of the baseline (y) in each Block, of the pages that have both there: a page counts in the Blocks in which both have a value. */
export function averageBoth(pairs: readonly PagePair[]): { x: number; y: number }[] {
  const valuesOf = (side: keyof PagePair, other: keyof PagePair) =>
    averagePages(
      pairs.map((pair) =>
        pair[side].byBlock.map((value, block) => (Number.isNaN(pair[other].byBlock[block]!) ? NaN : value)),
      ),
    );
  const [own, theirs] = [valuesOf('scenario', 'baseline'), valuesOf('baseline', 'scenario')];
  return [...own].flatMap((x, block) => (Number.isNaN(x) ? [] : [{ x, y: theirs[block]! }]));
}

/** The reduction of arithmetic means. Null when no Block has both, and where the baseline takes no time. */
export function computeMeanReduction(pairs: readonly PagePair[], confidence: number): MeanReduction | null {
  const blocks = averageBoth(pairs);
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
