import { setImmediate } from 'node:timers/promises';
import { conditions } from './conditions.ts';
import { measureCoverage, measureFalsePositives, type Coverage, type FalsePositives } from './measure-coverage.ts';
import { additions, measureAddedRounds, type AddedRoundsError } from './measure-added-rounds.ts';
import { measureDependence } from './measure-dependence.ts';
import { lossConditions, measureLostObjects, type LossCondition } from './measure-lost-objects.ts';
import { measureDrift, measurePeeking } from './measure-mistakes.ts';
import { measureReversals } from './measure-reversals.ts';
import { logRatioShapes, measureBootstrap, measureEquivalence, measureFamily, measurePower } from './measure-tests.ts';

/** Simulations of each cell, for docs/statistics.md. */
export const documentedRuns = 10_000;
const seed = 20111007;

export interface Calibration {
  /** Simulations of each cell of `addedRounds`. */
  runsWithAdded: number;
  coverage: Coverage[];
  falsePositives: FalsePositives[];
  mistakes: { sequential: number; randomBlocks: number; peeking: number };
  addedRounds: (AddedRoundsError & { addition: keyof typeof additions })[];
  dependence: { ofRounds: number; ofVisits: number };
  family: { corrected: number; uncorrected: number };
  reversals: { faster: number; slower: number; found: number }[];
  lostObjects: { condition: LossCondition; blocks: number; found: number }[];
  lossesFound: number;
  power: { blocks: number; variation: number; found: number }[];
  equivalence: { blocks: number; ratio: number; found: number }[];
  bootstrap: { shape: string; blocks: number; t: number; bca: number }[];
}

/** Everything that docs/statistics.md states of how the statistics behave; the same on every machine. */
export async function calibrate({ runs }: { runs: number }): Promise<Calibration> {
  // The rates to distinguish are close to each other.
  const runsWithAdded = 4 * runs;
  return {
    runsWithAdded,
    coverage: await mapInTurns(conditions, (condition) => measureCoverage(condition, { runs, seed })),
    falsePositives: await mapInTurns(conditions, (condition) =>
      measureFalsePositives(condition, { runs, seed: seed + 1 }),
    ),
    mistakes: {
      sequential: measureDrift({ runs, seed, order: 'sequential' }),
      randomBlocks: measureDrift({ runs, seed, order: 'random-blocks' }),
      peeking: measurePeeking({ runs, seed }),
    },
    addedRounds: await mapInTurns(Object.keys(additions) as (keyof typeof additions)[], (addition) => ({
      addition,
      ...measureAddedRounds(addition, { runs: runsWithAdded, seed }),
    })),
    dependence: measureDependence({ runs, seed }),
    family: measureFamily({ runs, seed }),
    reversals: await mapInTurns(
      [
        [0, 0],
        [6, 0],
        [11, 0],
        [6, 6],
        [11, 1],
      ] as const,
      ([faster, slower]) => ({ faster, slower, found: measureReversals({ runs, seed, faster, slower }) }),
    ),
    lostObjects: await mapInTurns(
      pairsOf(Object.keys(lossConditions) as LossCondition[], [3, 5, 10]),
      ([condition, blocks]) => ({ condition, blocks, found: measureLostObjects({ runs, seed, blocks, condition }) }),
    ),
    lossesFound: measureLostObjects({ runs, seed, blocks: 10, condition: 'each Visit for itself, 10 %', factor: 3 }),
    power: await mapInTurns(pairsOf([0.05, 0.1, 0.2], [5, 10, 20, 40]), ([variation, blocks]) => ({
      blocks,
      variation,
      found: measurePower({ runs, seed, blocks, variation }),
    })),
    equivalence: await mapInTurns(pairsOf([0.95, 1], [5, 10, 20, 40]), ([ratio, blocks]) => ({
      blocks,
      ratio,
      found: measureEquivalence({ runs, seed, blocks, variation: 0.05, ratio }),
    })),
    bootstrap: await mapInTurns(
      pairsOf(Object.keys(logRatioShapes) as (keyof typeof logRatioShapes)[], [10, 20]),
      ([shape, blocks]) => ({ shape, blocks, ...measureBootstrap({ runs, seed, blocks, shape }) }),
    ),
  };
}

/** Lets others have the event loop in between, or a test runner takes the process for dead. */
async function mapInTurns<Item, Result>(items: readonly Item[], measure: (item: Item) => Result): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    await setImmediate();
    results.push(measure(item));
  }
  return results;
}

function pairsOf<A, B>(first: readonly A[], second: readonly B[]): [A, B][] {
  return first.flatMap((a) => second.map((b): [A, B] => [a, b]));
}
