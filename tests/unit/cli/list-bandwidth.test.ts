import { expect, test } from 'vitest';
import { listBandwidth } from '#cli/comparison/format-comparison.ts';
import type { ScenarioBandwidth } from '#core/comparison/comparison.ts';

const estimate = (mean: number, halfWidth: number | null = 0.01) => ({
  rounds: 5,
  mean,
  standardDeviation: halfWidth,
  halfWidth,
});

function makeScenario(scenario: string, change: Partial<ScenarioBandwidth> = {}): ScenarioBandwidth {
  return {
    scenario,
    roundsCounted: 5,
    roundsLeftOut: 0,
    roundsWithDrops: 0,
    fairness: estimate(0.9),
    weightedFairness: null,
    leastToMost: estimate(0.5, null),
    shares: [
      { userAgent: 'alice', estimate: estimate(0.6) },
      { userAgent: 'bob', estimate: estimate(0.4) },
    ],
    ...change,
  };
}

test('each Scenario has its shares in percent and its fairness, by class weight where one has classes', () => {
  const plain = makeScenario('plain');
  const classed = makeScenario('gold and bronze', { weightedFairness: estimate(0.998, 0.001) });
  expect(listBandwidth({ kind: 'measured', scenarios: [plain, classed] }, ['alice', 'bob'])).toEqual([
    ['Scenario', 'alice, %', 'bob, %', 'Fairness', 'by class weight', 'Least to most', 'Rounds'],
    ['plain', '60.0 ± 1.0', '40.0 ± 1.0', '0.900 ± 0.010', '—', '0.500', '5'],
    ['gold and bronze', '60.0 ± 1.0', '40.0 ± 1.0', '0.900 ± 0.010', '0.998 ± 0.001', '0.500', '5'],
  ]);
  expect(listBandwidth({ kind: 'measured', scenarios: [plain] }, ['alice', 'bob'])[0]).not.toContain('by class weight');
});

test('what was not captured is absent, and of many User Agents there are no columns', () => {
  const nothing = makeScenario('plain', { roundsCounted: 0, shares: [], fairness: null, leastToMost: null });
  const names = Array.from({ length: 9 }, (_, index) => `user ${index}`);
  expect(listBandwidth({ kind: 'measured', scenarios: [nothing] }, ['alice'])[1]).toEqual([
    'plain',
    '—',
    '—',
    '—',
    '0',
  ]);
  expect(listBandwidth({ kind: 'measured', scenarios: [nothing] }, names)).toEqual([
    ['Scenario', 'Fairness', 'Least to most', 'Rounds'],
    ['plain', '—', '—', '0'],
  ]);
});
