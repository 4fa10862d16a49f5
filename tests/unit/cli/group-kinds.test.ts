import { expect, test } from 'vitest';
import { groupKinds } from '#cli/test/group-kinds.ts';
import { testKinds } from '#cli/test/test-kinds.ts';

test('what takes one core is run beside lint, all else alone and in order', () => {
  expect(groupKinds(testKinds)).toEqual([
    [['lint'], ['fuzz', 'calibration']],
    [['unit']],
    [['db']],
    [['browser']],
    [['testbed']],
    [['e2e']],
  ]);
  expect(groupKinds(['lint', 'unit'])).toEqual([[['lint']], [['unit']]]);
  expect(groupKinds(['fuzz', 'calibration'])).toEqual([[['fuzz']], [['calibration']]]);
});
