import { holmAdjust } from '#core/statistics/holm-adjust.ts';
import { meanInterval, tTest } from '#core/statistics/mean-interval.ts';
import { testEquivalence, bcaInterval } from '#core/comparison/latencies/contrast-scenarios.ts';
import { RandomSource } from './random-source.ts';
import { confidence } from './simulate-run.ts';

interface Simulations {
  runs: number;
  seed: number;
}

/** How often one of 30 URLs, none of which differs, is said to differ: by Holm's correction, and without one. Ten Blocks; the URLs of a Round share a part of its variation. */
export function measureFamily({ runs, seed }: Simulations): { corrected: number; uncorrected: number } {
  const [urls, blocks] = [30, 10];
  const random = new RandomSource(seed);
  let [corrected, uncorrected] = [0, 0];
  for (let run = 0; run < runs; run++) {
    const ofRound = Array.from({ length: blocks }, () => 0.1 * random.normal());
    const values = Array.from({ length: urls }, () => tTest(ofRound.map((shared) => shared + 0.2 * random.normal()))!);
    uncorrected += Number(values.some((p) => p <= 1 - confidence));
    corrected += Number(holmAdjust(values).some((p) => p <= 1 - confidence));
  }
  return { corrected: corrected / runs, uncorrected: uncorrected / runs };
}

/** How often a Scenario that takes 10 % less is found to be faster. `variation`: the standard deviation of ln of a Round's value, in both. */
export function measurePower({
  runs,
  seed,
  blocks,
  variation,
}: Simulations & { blocks: number; variation: number }): number {
  const random = new RandomSource(seed);
  let found = 0;
  for (let run = 0; run < runs; run++) {
    const p = tTest(drawLogRatios(random, { blocks, variation, ratio: 0.9 }))!;
    found += Number(p <= 1 - confidence);
  }
  return found / runs;
}

/** How often Scenarios with that ratio of latencies are said to be equivalent within 5 %. */
export function measureEquivalence({
  runs,
  seed,
  blocks,
  variation,
  ratio,
}: Simulations & { blocks: number; variation: number; ratio: number }): number {
  const random = new RandomSource(seed);
  const bound = -Math.log(0.95);
  let found = 0;
  for (let run = 0; run < runs; run++)
    found += Number(
      testEquivalence(drawLogRatios(random, { blocks, variation, ratio }), { low: -bound, high: bound })! <=
        1 - confidence,
    );
  return found / runs;
}

function drawLogRatios(
  random: RandomSource,
  { blocks, variation, ratio }: { blocks: number; variation: number; ratio: number },
): number[] {
  return Array.from({ length: blocks }, () => Math.log(ratio) + variation * (random.normal() - random.normal()));
}

export const logRatioShapes = {
  normal: (random: RandomSource) => random.normal(),
  /** Skewness 2. */
  exponential: (random: RandomSource) => -Math.log(random.uniform()) - 1,
};

/** How often the t interval and the BCa interval of the mean log ratio contain the true one. */
export function measureBootstrap({
  runs,
  seed,
  blocks,
  shape,
}: Simulations & { blocks: number; shape: keyof typeof logRatioShapes }): { t: number; bca: number } {
  const random = new RandomSource(seed);
  let [t, bca] = [0, 0];
  for (let run = 0; run < runs; run++) {
    const values = Array.from({ length: blocks }, () => logRatioShapes[shape](random));
    const { mean, halfWidth } = meanInterval(values, confidence);
    const { low, high } = bcaInterval(values, { confidence, generator: random.generator })!;
    t += Number(Math.abs(mean) <= halfWidth!);
    bca += Number(low <= 0 && 0 <= high);
  }
  return { t: t / runs, bca: bca / runs };
}
