import { expect, test } from 'vitest';
import { countLacking, stateLacking } from '#core/comparison/remarks/lacking-recordings.ts';

const visit = (scenario: string, misses: number, isExcluded = false) => ({
  scenario,
  isExcluded,
  replay: { misses, objects: 50 },
});

test('misses and objects are summed by Scenario, of replayed Visits that count', () => {
  const visits = [
    visit('A', 1),
    visit('A', 2),
    visit('B', 0),
    visit('A', 40, true),
    { scenario: 'C', isExcluded: false },
  ];
  expect(countLacking(visits, ['A', 'B', 'C'])).toEqual([
    { scenario: 'A', misses: 3, objects: 100 },
    { scenario: 'B', misses: 0, objects: 50 },
  ]);
});

test('more than 1 % is a remark', () => {
  expect(stateLacking([{ scenario: 'A', misses: 1, objects: 100 }])).toEqual([]);
  expect(stateLacking([{ scenario: 'A', misses: 3, objects: 200 }])).toEqual([
    { about: 'replay-misses', text: expect.stringContaining('lacks 3 of 200 objects under A') as string },
  ]);
});
