import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { cliffsDelta, mannWhitney, welchInterval } from '../../statistics/compare-unpaired.ts';
import type { Contrast } from './contrast.ts';
import { findFlags } from './find-flags.ts';
import { meanInterval, tTestGreater } from '../../statistics/mean-interval.ts';
import { permutationTest } from '../../statistics/permutation-test.ts';
import { logRatiosByBlock, toReduction, type PagePair, averagePages, presentValues } from './compute-reduction.ts';
import { sampleQuantile, sortNumbers } from '../../statistics/sample-quantile.ts';
import { absent, type Interval } from './statistic.ts';
import { wilcoxonSignedRank, signedRankDistribution } from '../../statistics/wilcoxon-signed-rank.ts';
import quantile from '@stdlib/stats-base-dists-normal-quantile';
import cdf from '@stdlib/stats-base-dists-normal-cdf';
import { uniformInt } from 'pure-rand/distribution/uniformInt';

const resamples = 2000;

const exactUpTo = 50;

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

/**
 * Two one-sided t tests (Schuirmann 1987): the larger p of "the mean is at most low" and "the mean is at least high". Below α the mean lies
 * between the two, which is the same as its 1 − 2α interval doing so. Null with fewer than two values.
 */
export function testEquivalence(
  values: readonly number[],
  { low, high }: { low: number; high: number },
): number | null {
  const [aboveLow, belowHigh] = [
    tTestGreater(values, low),
    tTestGreater(
      values.map((value) => -value),
      -high,
    ),
  ];
  return aboveLow === null || belowHigh === null ? null : Math.max(aboveLow, belowHigh);
}

/**
 * The Hodges–Lehmann estimate (1963) of the median of paired differences, the median of their Walsh averages (dᵢ + dⱼ) / 2 for i ≤ j, with the interval that the signed-rank test gives
 * (Hollander, Wolfe 1999, 3.3): between the k-th smallest and the k-th largest average, k from the distribution of V: exact up to 50 differences, normal above. As R's
 * `wilcox.test(conf.int = TRUE)` without ties. `low` and `high` are null where the interval cannot be had: below 6 differences at 95 %.
 * Throws RangeError without differences.
 */
export function hodgesLehmann(
  differences: readonly number[],
  confidence: number,
): { value: number; low: number | null; high: number | null } {
  const n = differences.length;
  const averages = new Float64Array((n * (n + 1)) / 2);
  let next = 0;
  for (let i = 0; i < n; i++) for (let j = i; j < n; j++) averages[next++] = (differences[i]! + differences[j]!) / 2;
  averages.sort();
  const value = sampleQuantile(averages, 0.5);
  const rank = intervalRank(n, confidence);
  return rank === 0
    ? { value, low: null, high: null }
    : { value, low: averages[rank - 1]!, high: averages[averages.length - rank]! };
}

/** The largest k with 2 · P(V < k) ≤ α. */
function intervalRank(n: number, confidence: number): number {
  if (n > exactUpTo) {
    const deviation = Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24);
    return Math.max(0, Math.floor((n * (n + 1)) / 4 - quantile((1 + confidence) / 2, 0, 1) * deviation));
  }
  const parts = signedRankDistribution(Array.from({ length: n }, (_, index) => index + 1));
  let rank = 0;
  for (let below = parts[0]!; 2 * below <= (1 - confidence) * (1 + 1e-9); below += parts[rank]!) rank++;
  return rank;
}

/**
 * The bias-corrected and accelerated bootstrap interval (Efron 1987) of the mean of one value per Block: 2,000 times as many Blocks drawn with replacement. Reproducible, as
 * the generator is the Run's. Null with fewer than two values; the values themselves when all are equal.
 */
export function bcaInterval(
  values: readonly number[],
  { confidence, generator }: { confidence: number; generator: RandomGenerator },
): { low: number; high: number } | null {
  const n = values.length;
  if (n < 2) return null;
  const sum = values.reduce((total, value) => total + value, 0);
  const replicates = new Float64Array(resamples);
  for (let resample = 0; resample < resamples; resample++) {
    let total = 0;
    for (let draw = 0; draw < n; draw++) total += values[uniformInt(generator, 0, n - 1)]!;
    replicates[resample] = total / n;
  }
  const jackknife = values.map((value) => (sum - value) / (n - 1));
  return bcaFromReplicates({ estimate: sum / n, replicates: replicates.sort(), jackknife }, confidence);
}

/**
 * The interval from the bootstrap's (sorted) and the jackknife's estimates: bias z₀ = Φ⁻¹ of the part of replicates below the estimate, ties counting half; acceleration
 * from the skewness of the jackknife's; quantiles of type 7. As scipy's `bootstrap(method='BCa')`.
 */
export function bcaFromReplicates(
  { estimate, replicates, jackknife }: { estimate: number; replicates: Float64Array; jackknife: readonly number[] },
  confidence: number,
): { low: number; high: number } {
  const smallest = replicates[0]!;
  if (smallest === replicates.at(-1)) return { low: smallest, high: smallest };
  const below = replicates.reduce((count, value) => count + (value < estimate ? 1 : value === estimate ? 0.5 : 0), 0);
  const bias = quantile(below / replicates.length, 0, 1);

  const centre = jackknife.reduce((total, value) => total + value, 0) / jackknife.length;
  const cubes = jackknife.reduce((total, value) => total + (centre - value) ** 3, 0);
  const squares = jackknife.reduce((total, value) => total + (centre - value) ** 2, 0);
  const acceleration = cubes / (6 * squares ** 1.5);

  const end = (probability: number) => {
    const shifted = bias + quantile(probability, 0, 1);
    return sampleQuantile(replicates, cdf(bias + shifted / (1 - acceleration * shifted), 0, 1));
  };
  return { low: end((1 - confidence) / 2), high: end((1 + confidence) / 2) };
}
