import {
  compareFailedObjects,
  judgeLostObjects,
  type LoadedVisit,
} from '#core/comparison/failed-objects/failed-objects.ts';
import { RandomSource } from './random-source.ts';
import { confidence } from './simulate-run.ts';

const visitsPerRound = 10;
const latencies = { baseMs: null, viewportMs: null, totalMs: null };

/** How the Visits of a Round lose objects: the probability of each Visit, drawn Round by Round. */
export const lossConditions = {
  'each Visit for itself, 1 %': () => 0.01,
  'each Visit for itself, 10 %': () => 0.1,
  'each Visit for itself, 50 %': () => 0.5,
  'all Visits of 20 % of the Rounds': (random) => Number(random.uniform() < 0.2),
  'all Visits of half of the Rounds': (random) => Number(random.uniform() < 0.5),
  'half of the Visits in 20 % of the Rounds, 1 % else': (random) => (random.uniform() < 0.2 ? 0.5 : 0.01),
} as const satisfies Record<string, (random: RandomSource) => number>;
export type LossCondition = keyof typeof lossConditions;

/** How often a Run states that its Scenarios differ in the Visits that lose objects: of a baseline, and a Scenario that loses so many times as many. */
export function measureLostObjects({
  runs,
  seed,
  blocks,
  condition,
  factor = 1,
}: {
  runs: number;
  seed: number;
  blocks: number;
  condition: LossCondition;
  factor?: number;
}): number {
  const random = new RandomSource(seed);
  const design = {
    scenarios: ['baseline', 'scenario'],
    baseline: 'baseline',
    confidence,
    declaredConfidence: confidence,
    rule: 'count',
  } as const;
  let found = 0;
  for (let run = 0; run < runs; run++) {
    const visits: LoadedVisit[] = [];
    for (let block = 1; block <= blocks; block++) {
      for (const scenario of design.scenarios) {
        const probability = lossConditions[condition](random) * (scenario === 'scenario' ? factor : 1);
        for (let page = 0; page < visitsPerRound; page++) {
          const failedObjects = random.uniform() < probability ? 1 : 0;
          visits.push({
            block,
            scenario,
            userAgent: 'alice',
            url: String(page),
            isFailed: false,
            isTimedOut: false,
            isExcluded: false,
            failedObjects,
            latencies,
            absences: null,
          });
        }
      }
    }
    const { difference } = compareFailedObjects(judgeLostObjects(visits, design.rule), design).scenarios[1]!;
    found += Number(difference!.adjustedP! <= 1 - confidence);
  }
  return found / runs;
}
