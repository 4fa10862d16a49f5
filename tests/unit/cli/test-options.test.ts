import { expect, test } from 'vitest';
import { chooseSeed, describeToTests, quickSeed } from '#cli/test/test-options.ts';
import { groupKinds, testKinds } from '#cli/test/choose-tests.ts';

test('quick tests have a fixed seed, all tests a random one, and a given one is taken', () => {
  expect(chooseSeed({})).toBe(quickSeed);
  expect(chooseSeed({ seed: 7, all: true })).toBe(7);
  const seeds = [chooseSeed({ all: true }), chooseSeed({ seed: 'random' }), chooseSeed({ seed: 'random' })];
  expect(new Set([quickSeed, ...seeds]).size).toBe(4);
});

test('the processes of the tests read the seed and the tier', () => {
  expect(describeToTests({}, 7)).toEqual({ HTTP_AE_TEST_SEED: '7', HTTP_AE_TEST_BUILT: '1' });
  // What is changed meanwhile is built again.
  expect(describeToTests({ watch: true }, 7)).toEqual({ HTTP_AE_TEST_SEED: '7' });
  expect(describeToTests({ all: true, minutes: 2, saveCorpus: true }, 7)).toEqual({
    HTTP_AE_TEST_SEED: '7',
    HTTP_AE_TEST_ALL: '1',
    HTTP_AE_TEST_BUILT: '1',
    HTTP_AE_FUZZ_MINUTES: '2',
    HTTP_AE_FUZZ_SAVE: '1',
  });
});

test('every kind runs once, and lint beside kinds that measure no time', () => {
  expect(groupKinds(testKinds).flat(2).toSorted()).toEqual(testKinds.toSorted());
  expect(groupKinds(testKinds)[0]).toEqual([
    ['lint', 'db'],
    ['unit', 'fuzz', 'calibration'],
  ]);
  expect(groupKinds(['testbed', 'lint'])).toEqual([[['lint']], [['testbed']]]);
});
