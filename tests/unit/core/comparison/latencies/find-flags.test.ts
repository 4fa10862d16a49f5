import { expect, test } from 'vitest';
import {
  bimodalityCoefficient,
  excessKurtosis,
  findFlags,
  isAutocorrelated,
  lagOneAutocorrelation,
  skewness,
} from '#core/comparison/latencies/find-flags.ts';
import { type Flag } from '#core/comparison/latencies/flag.ts';

const repeat = <Value>(count: number, valueAt: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => valueAt(index));
/** Values of an even course in an order without one. */
const steps = (count: number) => repeat(count, (index) => ((index * 7) % count) / count);
const twoModes = (count: number) => repeat(count, (index) => [100, 200, 200, 100][index % 4]! + (index % 3));
/** A long tail, in an order without a course. */
const tailed = (count: number) => steps(count).map((step) => 100 + 3 / (1.001 - step) ** 1.5);
/** Two high, two low. */
const slow = (count: number) => repeat(count, (index) => 100 + (index % 6 < 3 ? 9 : 0) + (index % 2));

test.for<[Flag, string, number[], boolean]>([
  ['few-rounds', 'less than 5 Rounds', [1, 3, 2, 5], true],
  ['few-rounds', '5 Rounds', [1, 3, 2, 5, 4], false],
  ['constant', 'values that are equal', [7, 7, 7, 7, 7], true],
  ['constant', 'values that are all 0', [0, 0, 0, 0, 0], true],
  ['constant', 'values that are equal but for rounding', [0.1 + 0.2, 0.3, 0.3, 0.3, 0.3], true],
  ['constant', 'values that differ a little', [1, 1, 1, 1, 1 + 1e-9], false],
  ['constant', 'one value', [7], false],
  ['bimodal', '10 Rounds of two modes', twoModes(10), true],
  ['bimodal', '9 Rounds of two modes', twoModes(9), false],
  ['bimodal', 'even values', steps(22), false],
  ['bimodal', 'a long tail alone', tailed(24), false],
  ['skewed', '20 Rounds with a long tail', tailed(20), true],
  ['skewed', '19 Rounds with a long tail', tailed(19), false],
  ['skewed', 'a tail that 24 Rounds are too few for', repeat(24, (index) => Number(index % 4 === 0)), true],
  ['skewed', 'a tail that 40 Rounds are enough for', repeat(40, (index) => Number(index % 4 === 0)), false],
  ['skewed', 'even values', steps(22), false],
  ['autocorrelated', '12 Rounds in which values follow each other', slow(12), true],
  ['autocorrelated', '9 Rounds in which values follow each other', slow(9), false],
  ['autocorrelated', 'values by turns', repeat(20, (index) => index % 2), false],
  ['trend', 'values that grow', repeat(8, (index) => 100 + index), true],
  ['trend', 'values that fall', repeat(8, (index) => 100 - index), true],
  ['trend', 'values that grow, too few to show it', repeat(4, (index) => 100 + index), false],
])('the flag %s, of %s', ([flag, , values, isRaised]) => {
  expect(findFlags(values).flags.includes(flag)).toBe(isRaised);
});

test('of too few values, and of equal ones, no shape is said', () => {
  const shapes = [skewness, excessKurtosis, bimodalityCoefficient, lagOneAutocorrelation];
  const knownFrom = shapes.map((shape) => [1, 2, 3, 4, 5].find((count) => shape(repeat(count, (i) => i * i)) !== null));
  expect(knownFrom).toEqual([3, 4, 4, 3]);
  for (const shape of shapes) {
    expect(shape([5, 5, 5, 5, 5])).toBeNull();
    expect(shape([0, 0, 0, 0, 0])).toBeNull();
    expect(shape([0.1 + 0.2, 0.3, 0.3, 0.3, 0.3])).toBeNull();
  }
});

test('skewness has the sign of the long tail, and small values have the shape of large ones', () => {
  const right = [1, 1, 2, 2, 3, 9];
  expect(skewness(right)).toBeGreaterThan(1);
  expect(skewness(right.map((value) => -value))).toBeCloseTo(-skewness(right)!, 12);
  expect(skewness([1, 2, 3])).toBeCloseTo(0, 12);
  for (const shape of [skewness, excessKurtosis, bimodalityCoefficient, lagOneAutocorrelation])
    expect(shape(right.map((value) => 1e-120 * value))).toBeCloseTo(shape(right)!, 9);
});

test('values follow each other where r₁ is beyond what one of twenty samples has by chance', () => {
  // r₁ of 10 values; the bound is 1.645 / √10 − 1 / 10 = 0.4202.
  const byCourse = (parts: number[]) => [lagOneAutocorrelation(parts)!, isAutocorrelated(parts)] as const;
  const [much, isMuch] = byCourse([0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
  expect([much, isMuch]).toEqual([expect.closeTo(0.7, 12), true]);
  const [some, isSome] = byCourse([0, 0, 0, 1, 1, 1, 0, 0, 1, 1]);
  expect([some, isSome]).toEqual([expect.closeTo(0.3, 1), false]);
  expect(isAutocorrelated([0, 0, 0, 0, 1, 1, 1, 1, 1])).toBe(false);
});
