import { RepetitionSchema } from '#core/evaluation/rounds/repetition.ts';
import { findFlags } from '#core/comparison/latencies/find-flags.ts';
import { type Flag } from '#core/comparison/latencies/flag.ts';
import { areConditionsAutocorrelated } from '#core/comparison/latencies/compare-latencies.ts';
import { hodgesLehmann } from '#core/comparison/latencies/contrast-scenarios.ts';
import { meanInterval } from '#core/statistics/mean-interval.ts';
import { medianInterval } from '#core/statistics/median-interval.ts';
import { computeReduction, presentValues } from '#core/comparison/latencies/compute-reduction.ts';
import { intervalConfidence } from '#core/stop-rule/level-of-look.ts';
import type { Condition } from './conditions.ts';
import { RandomSource } from './random-source.ts';
import { confidence as declared, simulateRun, type SimulatedRun } from './simulate-run.ts';

export const adaptive = RepetitionSchema.parse({
  adaptive: { target: { halfWidthRatio: 0.1 }, minRounds: 5, maxRounds: 60 },
});
const confidence = intervalConfidence(adaptive, declared);
const ratio = 0.9;

export interface Coverage {
  condition: string;
  runs: number;
  meanBlocks: number;
  /** The part of the Runs, from 0 to 1, in which each is so. */
  reached: number;
  meanCovered: number;
  /** Null where the median is not defined. */
  medianCovered: number | null;
  reductionCovered: number;
  /** With any flag. */
  flagged: number;
  byFlag: Partial<Record<Flag, number>>;
}

/** How often the intervals of Runs that the stop rule ended contain what is true, and how often flags are raised. */
export function measureCoverage(condition: Condition, { runs, seed }: { runs: number; seed: number }): Coverage {
  const random = new RandomSource(seed);
  const sum = { blocks: 0, reached: 0, mean: 0, median: 0, reduction: 0, flagged: 0 };
  const byFlag = new Map<Flag, number>();
  for (let run = 0; run < runs; run++) {
    const simulated = simulateRun(condition, { ratio, repetition: adaptive, random });
    const baseline = presentValues(simulated.baseline);
    const { mean, halfWidth } = meanInterval(baseline, confidence);
    const median = medianInterval(baseline, confidence);
    const reduction = computeReduction(logRatiosOf(simulated), confidence)!;
    const flags = flagsOf(simulated, baseline);
    sum.blocks += simulated.blocks;
    sum.reached += Number(simulated.hasReachedTarget);
    sum.mean += Number(Math.abs(mean - simulated.trueMeanMs) <= halfWidth!);
    // Below 6 Rounds there is no interval, and the report says so: nothing is claimed that could be wrong.
    sum.median += Number(
      median === null || (median.low <= simulated.trueMedianMs && simulated.trueMedianMs <= median.high),
    );
    sum.reduction += Number(reduction.low! <= 1 - ratio && 1 - ratio <= reduction.high!);
    sum.flagged += Number(flags.length > 0);
    for (const flag of flags) byFlag.set(flag, (byFlag.get(flag) ?? 0) + 1 / runs);
  }
  return {
    condition: condition.name,
    runs,
    meanBlocks: sum.blocks / runs,
    reached: sum.reached / runs,
    meanCovered: sum.mean / runs,
    medianCovered: Number.isNaN(condition.median) ? null : sum.median / runs,
    reductionCovered: sum.reduction / runs,
    flagged: sum.flagged / runs,
    byFlag: Object.fromEntries(byFlag),
  };
}

export interface FalsePositives {
  condition: string;
  runs: number;
  /** The part of the Runs without any difference in which the p of the reduction says that there is one: held against 0.8·α, as the report does, and against α. */
  reduction: number;
  uncorrected: number;
  /** And the Hodges–Lehmann interval. */
  hodgesLehmann: number;
}

/** How often Runs of twice the same Scenario, ended by the stop rule, show a difference. */
export function measureFalsePositives(
  condition: Condition,
  { runs, seed }: { runs: number; seed: number },
): FalsePositives {
  const random = new RandomSource(seed);
  const sum = { reduction: 0, uncorrected: 0, hodgesLehmann: 0 };
  for (let run = 0; run < runs; run++) {
    const logRatios = logRatiosOf(simulateRun(condition, { ratio: 1, repetition: adaptive, random }));
    const { p } = computeReduction(logRatios, confidence)!;
    sum.reduction += Number(p! <= 1 - confidence);
    sum.uncorrected += Number(p! <= 1 - declared);
    const { low, high } = hodgesLehmann(presentValues(logRatios), confidence);
    sum.hodgesLehmann += Number(low !== null && high !== null && (low > 0 || high < 0));
  }
  return {
    condition: condition.name,
    runs,
    reduction: sum.reduction / runs,
    uncorrected: sum.uncorrected / runs,
    hodgesLehmann: sum.hodgesLehmann / runs,
  };
}

function logRatiosOf({ baseline, scenario }: SimulatedRun): Float64Array {
  return scenario.map((value, block) => Math.log(value / baseline[block]!));
}

function flagsOf({ rounds, blocks }: SimulatedRun, baseline: number[]): Flag[] {
  const { flags } = findFlags(baseline);
  if (baseline.length < blocks) flags.push('censored');
  if (!flags.includes('autocorrelated') && areConditionsAutocorrelated(rounds)) flags.push('autocorrelated');
  return flags;
}
