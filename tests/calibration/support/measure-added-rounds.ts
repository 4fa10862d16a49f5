import { RepetitionSchema } from '#core/evaluation/rounds/repetition.ts';
import { tTest } from '#core/statistics/mean-interval.ts';
import { intervalConfidence } from '#core/stop-rule/level-of-look.ts';
import { RandomSource } from './random-source.ts';
import { confidence } from './simulate-run.ts';

const mostAdditions = 5;

/** How many Rounds are added, to a Run of so many Blocks. */
export const additions = {
  '5 each time': () => 5,
  'as many again each time': (blocks: number) => blocks,
} as const;

export interface AddedRoundsError {
  /** The part of the Runs without any difference that in the end show one, where the Evaluation declared that Rounds may be added. */
  declared: number;
  /** Where it did not. */
  undeclared: number;
  /** Of the latter, the part that shows one only after Rounds were added. */
  later: number;
  /** Were it not corrected for looks. */
  uncorrected: number;
}

/** Runs of 10 Blocks of twice the same Scenario, to which Rounds are added as long as the result shows no difference, up to 5 times. */
export function measureAddedRounds(
  addition: keyof typeof additions,
  { runs, seed }: { runs: number; seed: number },
): AddedRoundsError {
  const random = new RandomSource(seed);
  const sum = { declared: 0, undeclared: 0, later: 0, uncorrected: 0 };
  const [undeclared, declared] = [false, true].map((mayAddRounds) =>
    listLooks(addition).map((looks) => intervalConfidence(RepetitionSchema.parse({ mayAddRounds }), confidence, looks)),
  ) as [number[], number[]];
  const counts = listLooks(addition).at(-1)!;
  for (let run = 0; run < runs; run++) {
    const logRatios = Array.from({ length: counts.at(-1)! }, () => random.normal());
    const ps = counts.map((count) => tTest(logRatios.slice(0, count))!);
    const finds = (levels: readonly number[]) => ps.findIndex((p, look) => p <= 1 - levels[look]!);
    const found = finds(undeclared);
    sum.declared += Number(finds(declared) >= 0);
    sum.undeclared += Number(found >= 0);
    sum.later += Number(found > 0);
    sum.uncorrected += Number(finds(counts.map(() => confidence)) >= 0);
  }
  return {
    declared: sum.declared / runs,
    undeclared: sum.undeclared / runs,
    later: sum.later / runs,
    uncorrected: sum.uncorrected / runs,
  };
}

/** The Blocks at each look so far, for each look. */
function listLooks(addition: keyof typeof additions): number[][] {
  const all = [10];
  for (let times = 0; times < mostAdditions; times++) all.push(all.at(-1)! + additions[addition](all.at(-1)!));
  return all.map((_, last) => all.slice(0, last + 1));
}
