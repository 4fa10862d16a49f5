import { describe, expect, test } from 'vitest';
import { durationMs, wholeNumber } from '#core/evaluation/units.ts';

const faultOf = (schema: ReturnType<typeof durationMs>, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];

describe('a whole number', () => {
  const schema = wholeNumber({ min: 2, max: 9 });

  test.for([2, 5, 9])('is within its range, both ends included: %d', (value) => {
    expect(faultOf(schema, value)).toEqual([]);
  });

  test.for<[unknown, string]>([
    [1, 'must be at least 2'],
    [10, 'must be at most 9'],
    [2.5, 'must be a whole number'],
    ['5', 'must be a whole number, not "5"'],
    [null, 'must be a whole number, not null'],
    [undefined, 'must be a whole number, not nothing'],
  ])('is not %o: it %s', ([value, fault]) => {
    expect(faultOf(schema, value)).toEqual([fault]);
  });
});

describe('a duration', () => {
  const schema = durationMs({ min: 0.5, max: 9000 });

  test.for([0.5, 2.25, 9000])('is in ms, whole or not, within its range: %d', (value) => {
    expect(faultOf(schema, value)).toEqual([]);
  });

  test.for<[unknown, string]>([
    [0.4, 'must be at least 0.5 ms'],
    [9001, 'must be at most 9000 ms'],
    ['3', 'must be a number of milliseconds without a unit, not "3"'],
    ['3 days', 'must be a number of milliseconds without a unit, not "3 days"'],
    ['20ms', 'must be a number of milliseconds without a unit, not "20ms" (write 20)'],
    ['1.5 s', 'must be a number of milliseconds without a unit, not "1.5 s" (write 1500)'],
    ['2sec', 'must be a number of milliseconds without a unit, not "2sec" (write 2000)'],
    [' 2M ', 'must be a number of milliseconds without a unit, not " 2M " (write 120000)'],
    ['2min', 'must be a number of milliseconds without a unit, not "2min" (write 120000)'],
    ['1h', 'must be a number of milliseconds without a unit, not "1h" (write 3600000)'],
    [undefined, 'must be a number of milliseconds without a unit, not nothing'],
  ])('is not %o: it %s', ([value, fault]) => {
    expect(faultOf(schema, value)).toEqual([fault]);
  });
});
