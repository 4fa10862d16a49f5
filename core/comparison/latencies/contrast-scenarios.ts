import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { averagePages, presentValues } from './average-pages.ts';
import { bcaInterval } from '../../statistics/bca-interval.ts';
import { cliffsDelta } from '../../statistics/cliffs-delta.ts';
import type { Contrast } from './contrast.ts';
import { findFlags } from './find-flags.ts';
import { hodgesLehmann } from '../../statistics/hodges-lehmann.ts';
import { mannWhitney } from '../../statistics/mann-whitney.ts';
import { meanInterval } from '../../statistics/mean-interval.ts';
import { permutationTest } from '../../statistics/permutation-test.ts';
import { logRatiosByBlock, toReduction, type PagePair } from './compute-reduction.ts';
import { sampleQuantile } from '../../statistics/sample-quantile.ts';
import { sortNumbers } from '../../statistics/sort-numbers.ts';
import { absent, type Interval } from './statistic.ts';
import { testEquivalence } from '../../statistics/test-equivalence.ts';
import { welchInterval } from '../../statistics/welch-interval.ts';
import { wilcoxonSignedRank } from '../../statistics/wilcoxon-signed-rank.ts';

export interface ContrastOptions {
  /** The Blocks, by their index. */
  blocks: readonly number[];
  confidence: number;
  equivalenceMargin: number;
  generator: RandomGenerator;
}

/** Below this the BCa interval is too narrow (docs/statistics.md). */
const blocksForBootstrap = 10;

/**
 * A Scenario against the baseline over the pages that both have. The verdict and whether it is confirmatory are only known once the whole family is
 * (judge-family.ts); until then it is exploratory. Null without a page that has a value in both.
 */
export function contrastScenarios(pairs: readonly PagePair[], options: ContrastOptions): Contrast | null {
  const measured = pairs.filter((pair) => pair.scenario.values.length > 0 && pair.baseline.values.length > 0);
  if (measured.length === 0) return null;
  const own = presentValues(averagePages(measured.map(({ scenario }) => scenario.byBlock)));
  const other = presentValues(averagePages(measured.map(({ baseline }) => baseline.byBlock)));
  const logRatios = logRatiosByBlock(measured);
  const paired = presentValues(logRatios);
  const { cliffsDelta: delta, probabilityFirstIsSmaller } = cliffsDelta(own, other);
  const common = { isConfirmatory: false, cliffsDelta: delta, probabilityOfSuperiority: probabilityFirstIsSmaller };
  if (paired.length === 0) return { ...common, ...contrastUnpaired({ own, other }, options.confidence) };

  const differences = presentValues(
    averagePages(
      measured.map(({ scenario, baseline }) =>
        scenario.byBlock.map((value, block) => value - baseline.byBlock[block]!),
      ),
    ),
  );
  const { mean, halfWidth } = meanInterval(differences, options.confidence);
  return {
    ...common,
    pairing: 'blocks',
    verdict: 'no-difference-shown',
    meanDifference: {
      kind: 'measured',
      value: mean,
      low: halfWidth === null ? null : mean - halfWidth,
      high: halfWidth === null ? null : mean + halfWidth,
    },
    medianDifference: { kind: 'measured', ...hodgesLehmann(differences, options.confidence) },
    bootstrapReduction: bootstrapReduction(paired, options),
    signedRank: summarizeTest(wilcoxonSignedRank(paired)),
    permutation: permutationTest(paired, options.generator),
    mannWhitney: null,
    equivalence: judgeEquivalence(paired, options),
    blocks: options.blocks.flatMap((block, index) =>
      Number.isNaN(logRatios[index]) ? [] : [{ block, reduction: toReduction(logRatios[index]!) }],
    ),
    flags: findFlags(paired).flags,
  };
}

function contrastUnpaired({ own, other }: { own: number[]; other: number[] }, confidence: number) {
  const means = welchInterval(own, other, confidence);
  const shifts = sortNumbers(own.flatMap((value) => other.map((baseline) => value - baseline)));
  return {
    pairing: 'none' as const,
    verdict: 'no-pairs' as const,
    meanDifference: means ? ({ kind: 'measured', ...means } as const) : absent('too-few-rounds'),
    medianDifference: { kind: 'measured', value: sampleQuantile(shifts, 0.5), low: null, high: null } as const,
    bootstrapReduction: absent('no-pairs'),
    signedRank: null,
    permutation: null,
    mannWhitney: summarizeTest(mannWhitney(own, other)),
    equivalence: null,
    blocks: [],
    flags: [],
  };
}

function summarizeTest({ p, isExact }: { p: number; isExact: boolean }) {
  return { p, isExact };
}

function bootstrapReduction(logRatios: readonly number[], { confidence, generator }: ContrastOptions): Interval {
  if (logRatios.length < blocksForBootstrap) return absent('too-few-rounds');
  const interval = bcaInterval(logRatios, { confidence, generator })!;
  const { mean } = meanInterval(logRatios, confidence);
  return {
    kind: 'measured',
    value: toReduction(mean),
    low: toReduction(interval.high),
    high: toReduction(interval.low),
  };
}

function judgeEquivalence(
  logRatios: readonly number[],
  { confidence, equivalenceMargin: margin }: ContrastOptions,
): Contrast['equivalence'] {
  const bound = -Math.log(1 - margin);
  const p = testEquivalence(logRatios, { low: -bound, high: bound });
  if (p === null) return null;
  const alpha = 1 - confidence;
  const { mean, halfWidth } = meanInterval(logRatios, 1 - 2 * alpha);
  return {
    margin,
    p,
    isEquivalent: p <= alpha,
    low: toReduction(mean + halfWidth!),
    high: toReduction(mean - halfWidth!),
  };
}
