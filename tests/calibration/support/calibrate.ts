import { conditions } from './conditions.ts';
import { measureCoverage, measureFalsePositives, type Coverage, type FalsePositives } from './measure-coverage.ts';
import { logRatioShapes, measureBootstrap, measureEquivalence, measureFamily, measurePower } from './measure-tests.ts';

/** Simulations of each cell. */
export const runs = 10_000;
const seed = 20111007;

export interface Calibration {
  coverage: Coverage[];
  falsePositives: FalsePositives[];
  family: { corrected: number; uncorrected: number };
  power: { blocks: number; variation: number; found: number }[];
  equivalence: { blocks: number; ratio: number; found: number }[];
  bootstrap: { shape: string; blocks: number; t: number; bca: number }[];
}

/** Everything that docs/statistics.md states of how the statistics behave; the same on every machine. */
export function calibrate(): Calibration {
  return {
    coverage: conditions.map((condition) => measureCoverage(condition, { runs, seed })),
    falsePositives: conditions.map((condition) => measureFalsePositives(condition, { runs, seed: seed + 1 })),
    family: measureFamily({ runs, seed }),
    power: [0.05, 0.1, 0.2].flatMap((variation) => [5, 10, 20, 40].map((blocks) => ({ blocks, variation, found: measurePower({ runs, seed, blocks, variation }) }))),
    equivalence: [0.95, 1].flatMap((ratio) => [5, 10, 20, 40].map((blocks) => ({ blocks, ratio, found: measureEquivalence({ runs, seed, blocks, variation: 0.05, ratio }) }))),
    bootstrap: (Object.keys(logRatioShapes) as (keyof typeof logRatioShapes)[]).flatMap((shape) =>
      [10, 20].map((blocks) => ({ shape, blocks, ...measureBootstrap({ runs, seed, blocks, shape }) })),
    ),
  };
}
