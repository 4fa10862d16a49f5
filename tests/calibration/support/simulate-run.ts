import type { Repetition } from '#core/evaluation/rounds/repetition.ts';
import { roundLimits } from '#core/evaluation/rounds/repetition.ts';
import { decideStop, type StopCell } from '#core/stop-rule/decide-stop.ts';
import type { Condition } from './conditions.ts';
import type { RandomSource } from './random-source.ts';

/** Declared. */
export const confidence = 0.95;
const meanMs = 1000;

export interface SimulatedRun {
  /** Completed Blocks. */
  blocks: number;
  hasReachedTarget: boolean;
  /** One value per Block, in ms; NaN where the Visit did not end in time. */
  baseline: Float64Array;
  scenario: Float64Array;
  /** In the order of execution. */
  rounds: { scenario: string; value: number }[];
  /** What the mean and the median of the baseline really were over the Rounds made; NaN where they are not defined. */
  trueMeanMs: number;
  trueMedianMs: number;
}

/** A Run of a baseline and one Scenario, a page and a User Agent each, in random Blocks, ended by the stop rule. `ratio` is that of their true latencies. */
export function simulateRun(
  condition: Condition,
  { ratio, repetition, random }: { ratio: number; repetition: Repetition; random: RandomSource },
): SimulatedRun {
  const { maxRounds } = roundLimits(repetition);
  const next = condition.open(random, 2 * maxRounds);
  const [baseline, scenario] = [new Float64Array(maxRounds).fill(NaN), new Float64Array(maxRounds).fill(NaN)];
  const cells = [openCell('baseline'), openCell('scenario')] as const;
  const rounds: SimulatedRun['rounds'] = [];
  const measure = (isBaseline: boolean, block: number) => {
    const value = meanMs * next() * (isBaseline ? 1 : ratio);
    (isBaseline ? baseline : scenario)[block] = value;
    if (Number.isNaN(value)) return;
    cells[isBaseline ? 0 : 1].add(value);
    rounds.push({ scenario: isBaseline ? 'baseline' : 'scenario', value });
  };

  let blocks = 0;
  let hasReachedTarget = false;
  while (blocks < maxRounds && !hasReachedTarget) {
    const isBaselineFirst = random.uniform() < 0.5;
    measure(isBaselineFirst, blocks);
    measure(!isBaselineFirst, blocks);
    blocks++;
    const decision = decideStop({
      repetition,
      confidence,
      blocks,
      elapsedMs: 0,
      blockMs: null,
      cells: [cells[0].summarize(), cells[1].summarize()],
    });
    hasReachedTarget = decision.kind === 'stop' && decision.reason === 'target';
  }
  return {
    blocks,
    hasReachedTarget,
    baseline: baseline.subarray(0, blocks),
    scenario: scenario.subarray(0, blocks),
    rounds,
    trueMeanMs: meanMs * condition.meanOf(2 * blocks, 2 * maxRounds),
    trueMedianMs: meanMs * condition.median,
  };
}

/** Count, mean and standard deviation as values come (Welford 1962). */
function openCell(scenario: string): { add: (value: number) => void; summarize: () => StopCell } {
  let [count, mean, squares] = [0, 0, 0];
  return {
    add(value) {
      count++;
      const difference = value - mean;
      mean += difference / count;
      squares += difference * (value - mean);
    },
    summarize: () => ({
      metric: 'totalMs',
      scenario,
      userAgent: 'alice',
      url: 'http://origin.test/',
      rounds:
        count === 0 ? null : { count, mean, standardDeviation: count < 2 ? null : Math.sqrt(squares / (count - 1)) },
    }),
  };
}
