import { expect, test } from 'vitest';
import { compareUsers } from '#core/comparison/users/compare-users.ts';
import { gatherCells } from '#core/comparison/cells/gather-cells.ts';
import { stateRemarks } from '#core/comparison/remarks/state-remarks.ts';
import { RandomSource } from '../../../../calibration/support/random-source.ts';

const scenarios = ['a', 'b', 'c', 'd'];
const userAgents = ['alice', 'bob', 'carol'];
const blocks = 12;
const runs = 400;
const confidence = 0.95;
const url = 'http://origin/';

/** How many Runs of four Scenarios report an advantage or a disadvantage of the first to start, and how many would without a correction over the Scenarios. */
function countStated(factorOfFirst: number): { corrected: number; alone: number } {
  const random = new RandomSource(11);
  const counts = { corrected: 0, alone: 0 };
  for (let run = 0; run < runs; run++) {
    const starts = Array.from({ length: blocks }, (_, block) => block).flatMap((block) =>
      scenarios.flatMap((scenario) =>
        userAgents.map((userAgent) => ({
          block,
          scenario,
          userAgent,
          startedEpochMs: random.uniform(),
          firstRequestEpochMs: null,
        })),
      ),
    );
    const firstOf = (own: (typeof starts)[number]) =>
      starts
        .filter(({ block, scenario }) => block === own.block && scenario === own.scenario)
        .every(({ startedEpochMs }) => startedEpochMs >= own.startedEpochMs);
    const visits = starts.map((start) => ({
      ...start,
      url,
      isFailed: false,
      isTimedOut: false,
      isExcluded: false,
      value: 1000 * Math.exp(0.4 * random.normal()) * (firstOf(start) ? factorOfFirst : 1),
    }));
    const users = compareUsers(
      gatherCells(visits, ({ value }) => value),
      starts,
      { scenarios, userAgents, confidence, declaredConfidence: confidence },
    );
    if (users.kind === 'absent') throw new Error(users.reason);
    const remarks = stateRemarks({
      primary: { metric: 'totalMs', familySize: 1, commonPages: { count: 1, of: 1 }, scenarios: [], cells: [] },
      users,
      failedObjects: { rule: 'count', failureCode: null, scenarios: [] },
      baseline: 'none',
      confidence,
      order: 'random-blocks',
      unsettledVisits: 0,
    });
    counts.corrected += Number(remarks.some(({ about }) => about === 'start-order'));
    counts.alone += Number(users.scenarios.some(({ firstToStart }) => firstToStart!.p! <= 1 - confidence));
  }
  return counts;
}

test('of Runs in which the order of the start makes no difference, at most α say of any Scenario that it does', () => {
  const { corrected, alone } = countStated(1);
  // 5 % of 400 is 20, with a standard deviation of 4.4; each Scenario by itself makes it 1 − 0.95⁴, 18.5 %.
  expect(corrected).toBeLessThanOrEqual(20 + 2 * 4.4);
  expect(corrected).toBeGreaterThan(0);
  expect(alone).toBeGreaterThan(50);
});

test('an advantage of a half is stated in nearly all', () => {
  expect(countStated(0.5).corrected).toBeGreaterThan(0.99 * runs);
});
