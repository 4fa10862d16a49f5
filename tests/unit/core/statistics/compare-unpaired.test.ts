import { expect, test } from 'vitest';
import { compareUnpaired } from '#core/statistics/compare-unpaired.ts';

test('two Scenarios of different Runs are compared by Welch’s interval, Mann–Whitney and Cliff’s δ', () => {
  // All five are above all four: of the 126 ways to choose them, the two outermost.
  const compared = compareUnpaired([21, 22, 24, 25, 28], [10, 12, 13, 15], 0.95)!;
  expect(compared.difference?.value).toBeCloseTo(11.5, 10);
  expect(compared.difference!.low).toBeGreaterThan(7);
  expect(compared.difference!.high).toBeLessThan(16);
  expect(compared.mannWhitneyP).toBeCloseTo(2 / 126, 10);
  expect(compared.difference!.p).toBeLessThan(0.001);
  expect(compared.cliffsDelta).toBe(1);
});

test('values that are equal but for rounding differ with certainty, or not at all', () => {
  const p = (...samples: [number[], number[]]) => compareUnpaired(...samples, 0.95)!.difference!.p;
  expect(p([0.1 + 0.2, 0.3, 0.3], [0.3, 0.3, 0.3])).toBe(1);
  expect(p([0.1 + 0.2, 0.3, 0.3], [0.4, 0.4])).toBe(0);
  expect(p([0, 0], [0, 0])).toBe(1);
  expect(p([0, 0], [1, 1])).toBe(0);
});

test('one Round gives no interval, and none no comparison', () => {
  expect(compareUnpaired([5], [3, 4], 0.95)).toMatchObject({ difference: null, cliffsDelta: 1 });
  expect(compareUnpaired([], [3], 0.95)).toBeNull();
});

test('the p of a difference is that of its interval: just α where a bound is 0', () => {
  const reference = [3, 4, 6, 9, 11];
  for (const confidence of [0.8, 0.95, 0.99]) {
    const sample = [1, 5, 6, 2, 8, 12, 7];
    const { low, high } = compareUnpaired(sample, reference, confidence)!.difference!;
    for (const bound of [low, high]) {
      const moved = sample.map((value) => value - bound);
      expect(compareUnpaired(moved, reference, confidence)!.difference!.p).toBeCloseTo(1 - confidence, 8);
    }
  }
});
