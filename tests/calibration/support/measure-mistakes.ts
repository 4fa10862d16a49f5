import { tTest } from '#core/statistics/mean-interval.ts';
import { RandomSource } from './random-source.ts';
import { confidence } from './simulate-run.ts';

/** The standard deviation of ln of a Round's value. */
const variation = 0.1;
const drift = 0.1;

/** How often a Run without a difference, over which everything slows down by 10 %, shows one: 20 Rounds of each of two Scenarios, compared in pairs. */
export function measureDrift({
  runs,
  seed,
  order,
}: {
  runs: number;
  seed: number;
  order: 'random-blocks' | 'sequential';
}): number {
  const blocks = 20;
  const random = new RandomSource(seed);
  let found = 0;
  for (let run = 0; run < runs; run++) {
    const inOrder = Array.from(
      { length: 2 * blocks },
      (_, round) => Math.log(1 + (drift * round) / (2 * blocks)) + variation * random.normal(),
    );
    const logRatios = Array.from({ length: blocks }, (_, block) => {
      if (order === 'sequential') return inOrder[blocks + block]! - inOrder[block]!;
      return (inOrder[2 * block]! - inOrder[2 * block + 1]!) * (random.uniform() < 0.5 ? 1 : -1);
    });
    found += Number(tTest(logRatios)! <= 1 - confidence);
  }
  return found / runs;
}

/** How often a Run without a difference shows one, if after each of 5 to 60 Blocks it is stopped when p < 0.05. */
export function measurePeeking({ runs, seed }: { runs: number; seed: number }): number {
  const random = new RandomSource(seed);
  let found = 0;
  for (let run = 0; run < runs; run++) {
    const logRatios: number[] = [];
    let isFound = false;
    while (logRatios.length < 60 && !isFound) {
      logRatios.push(variation * random.normal());
      isFound = logRatios.length >= 5 && tTest(logRatios)! <= 1 - confidence;
    }
    found += Number(isFound);
  }
  return found / runs;
}
