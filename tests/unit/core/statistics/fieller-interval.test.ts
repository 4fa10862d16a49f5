import fc from 'fast-check';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { expect, test } from 'vitest';
import { fiellerInterval } from '#core/statistics/fieller-interval.ts';
import { tTest } from '#core/statistics/mean-interval.ts';

const latencies = fc.array(
  fc.record({ x: fc.double({ min: 50, max: 2000, noNaN: true }), y: fc.double({ min: 50, max: 2000, noNaN: true }) }),
  { minLength: 3, maxLength: 30 },
);

test('a bound of the ratio of means is a ratio at which the paired t test has just p = α', () => {
  let bounded = 0;
  fc.assert(
    fc.property(latencies, fc.constantFrom(0.8, 0.95, 0.99), (pairs, confidence) => {
      const { ratio, low, high } = fiellerInterval(pairs, confidence);
      const meanOf = (side: 'x' | 'y') => pairs.reduce((sum, each) => sum + each[side], 0) / pairs.length;
      expect(ratio).toBeCloseTo(meanOf('x') / meanOf('y'), 10);
      if (low === null || high === null || high - low < 1e-6 * ratio) return;
      bounded++;
      expect(low).toBeLessThanOrEqual(ratio);
      expect(high).toBeGreaterThanOrEqual(ratio);
      for (const bound of [low, high])
        expect(tTest(pairs.map(({ x, y }) => x - bound * y))).toBeCloseTo(1 - confidence, 6);
    }),
  );
  expect(bounded).toBeGreaterThan(20);
});

test('pairs in proportion have their ratio as both bounds, one pair has none, nor has a denominator not distinct from 0', () => {
  const proportional = fiellerInterval(
    [100, 200, 400].map((y) => ({ x: 0.8 * y, y })),
    0.95,
  );
  expect(proportional.ratio).toBeCloseTo(0.8, 12);
  expect(fiellerInterval([{ x: 80, y: 100 }], 0.95)).toEqual({ count: 1, ratio: 0.8, low: null, high: null });
  expect(
    fiellerInterval(
      [
        { x: 1, y: 1 },
        { x: 2, y: 1000 },
      ],
      0.95,
    ),
  ).toMatchObject({ low: null, high: null });
});

test('the interval covers the true ratio as often as it says', () => {
  const generator = xoroshiro128plus(5);
  const normal = () =>
    Math.sqrt(-2 * Math.log1p(-uniformFloat64(generator))) * Math.cos(2 * Math.PI * uniformFloat64(generator));
  const runs = 4000;
  let covered = 0;
  for (let run = 0; run < runs; run++) {
    const pairs = Array.from({ length: 8 }, () => {
      const drift = 100 * normal();
      return { x: 800 + drift + 40 * normal(), y: 1000 + drift + 60 * normal() };
    });
    const { low, high } = fiellerInterval(pairs, 0.95);
    if (low! <= 0.8 && high! >= 0.8) covered++;
  }
  // 4 standard errors.
  expect(Math.abs(covered / runs - 0.95)).toBeLessThan(0.014);
});
