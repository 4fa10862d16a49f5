import { expect, test } from 'vitest';
import { groupKinds } from '#cli/test/group-kinds.ts';
import { testKinds } from '#cli/test/test-kinds.ts';

test('every kind runs once, and some beside others', () => {
  const groups = groupKinds(testKinds);
  expect(groups.flat(2).toSorted()).toEqual(testKinds.toSorted());
  expect(groups).toEqual([
    [['lint'], ['fuzz', 'calibration']],
    [['unit']],
    [['db']],
    [['browser']],
    [['testbed']],
    [['e2e']],
  ]);
});

test('a choice of kinds leaves no empty group or lane', () => {
  expect(groupKinds(['lint', 'unit'])).toEqual([[['lint']], [['unit']]]);
  expect(groupKinds(['fuzz', 'calibration'])).toEqual([[['fuzz', 'calibration']]]);
  expect(groupKinds(['testbed'])).toEqual([[['testbed']]]);
});
