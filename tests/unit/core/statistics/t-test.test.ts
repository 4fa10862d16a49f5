import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tTest, tTestGreater } from '#core/statistics/mean-interval.ts';

/** Of Student’s t with 2 degrees of freedom, which has a closed form. */
const above = (t: number) => 0.5 - t / (2 * Math.sqrt(2 + t * t));

describe('Student’s t test', () => {
  test('of three values has the p of two degrees of freedom', () => {
    // Mean 2, standard deviation 1.
    const values = [1, 2, 3];
    expect(tTest(values)).toBeCloseTo(2 * above(2 * Math.sqrt(3)), 12);
    expect(tTest(values, 1)).toBeCloseTo(2 * above(Math.sqrt(3)), 12);
    expect(tTest(values, 3)).toBeCloseTo(2 * above(Math.sqrt(3)), 12);
    expect(tTest(values, 2)).toBe(1);
    expect(tTestGreater(values, 1)).toBeCloseTo(above(Math.sqrt(3)), 12);
    expect(tTestGreater(values, 3)).toBeCloseTo(1 - above(Math.sqrt(3)), 12);
    expect(tTestGreater(values, 2)).toBe(0.5);
  });

  test('of two values has the p of one degree of freedom', () => {
    expect(tTest([0, 2])).toBeCloseTo(0.5, 12);
    expect(tTestGreater([0, 2], 0)).toBeCloseTo(0.25, 12);
  });

  test('needs two values', () => {
    expect([tTest([]), tTest([7]), tTestGreater([7], 3)]).toEqual([null, null, null]);
    expect(tTest([7, 8])).not.toBeNull();
  });

  // Rounding is what 0.1 + 0.2 differs from 0.3 by.
  test.for<[string, number[], number, number]>([
    ['that are all equal differ with certainty', [5, 5, 5], 4, 0],
    ['that are all the expected one do not', [5, 5, 5], 5, 1],
    ['that are all 0 do not differ from 0', [0, 0], 0, 1],
    ['that are equal but for rounding differ with certainty', [0.1 + 0.2, 0.3, 0.3], 0, 0],
    ['that are the expected one but for rounding do not', [0.1 + 0.2, 0.3, 0.1 + 0.2], 0.3, 1],
    ['of 0 differ from any other with certainty', [0, 0, 0], 1e-9, 0],
    ['that are 0 but for the rounding of what is expected differ with certainty', [1e-20, 2e-20, 3e-20], 0.5, 0],
    ['that are all large, and differ by more than rounding, have a deviation', [1e9, 1e9 + 1], 1e9, 0.5],
  ])('values %s', ([, values, mean, p]) => {
    expect(tTest(values, mean)).toBe(p === 0.5 ? tTest([0, 1]) : p);
  });

  test('the one-sided p of values that are all equal is 0 above, 1 below, and a half at the expected one', () => {
    expect([4, 5, 6].map((mean) => tTestGreater([5, 5, 5], mean))).toEqual([0, 0.5, 1]);
    expect(tTestGreater([0.1 + 0.2, 0.3, 0.1 + 0.2], 0.3)).toBe(0.5);
  });

  test('depends on neither place nor unit', () => {
    const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(values, fc.integer({ min: -50, max: 50 }), fc.integer({ min: 1, max: 9 }), (own, mean, unit) => {
        expect(
          tTest(
            own.map((value) => unit * (value - mean)),
            0,
          ),
        ).toBeCloseTo(tTest(own, mean)!, 9);
        const [higher, lower] = [
          tTestGreater(own, mean)!,
          tTestGreater(
            own.map((value) => -value),
            -mean,
          )!,
        ];
        expect(higher + lower).toBeCloseTo(1, 9);
        expect(tTest(own, mean)).toBeCloseTo(2 * Math.min(higher, lower), 9);
      }),
    );
  });
});
