import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { expect, test } from 'vitest';
import { compareReductions, describeReductionChange } from '#core/comparison/reduction-change.ts';

const words = { scenario: 'proxy', earlier: '1', later: '5', confidence: 0.95 };
const logs = (...reductions: number[]) => ({ logRatios: reductions.map((reduction) => Math.log1p(-reduction)) });

test('a larger reduction is less time, each against its own baseline, with an interval that agrees with its p', () => {
  const change = compareReductions(logs(0.34, 0.35, 0.36, 0.35), logs(0.4, 0.42, 0.41, 0.41), 0.95)!;
  // 0.59 / 0.65
  expect(change.ratio).toBeCloseTo(0.0923, 3);
  expect(change.low < change.ratio && change.ratio < change.high).toBe(true);
  expect(describeReductionChange(change, words)).toMatch(
    /^proxy takes 9\.2 % less time in Run 5 than in Run 1, each against its baseline \(95 % interval \d\.\d–1\d %, p < 0\.001\)\.$/,
  );
  const back = compareReductions(logs(0.4, 0.42, 0.41, 0.41), logs(0.34, 0.35, 0.36, 0.35), 0.95)!;
  expect(back.p).toBeCloseTo(change.p, 12);
  expect(1 - back.ratio).toBeCloseTo(1 / (1 - change.ratio), 10);

  const unclear = compareReductions(logs(0.2, 0.4, 0.3), logs(0.3, 0.35, 0.2), 0.95)!;
  expect(unclear.low < 0 && unclear.high > 0 && unclear.p > 0.05).toBe(true);
  expect(describeReductionChange(unclear, words)).toMatch(
    /^proxy: no change of the reduction is shown from Run 1 to Run 5 \(95 % interval \d+ % more to \d+ % less, p = 0\.\d+\)\.$/,
  );
});

test('one Block of either gives nothing, and equal ones a certain equality', () => {
  expect(compareReductions(logs(0.3), logs(0.3, 0.4), 0.95)).toBeNull();
  expect(compareReductions(logs(), logs(), 0.95)).toBeNull();
  expect(compareReductions(logs(0.3, 0.3), logs(0.3, 0.3), 0.95)).toEqual({ ratio: -0, low: -0, high: -0, p: 1 });
});

test('the interval covers the true change as often as it says, and p is at most 5 % as often without one', () => {
  const generator = xoroshiro128plus(7);
  const normal = () =>
    Math.sqrt(-2 * Math.log1p(-uniformFloat64(generator))) * Math.cos(2 * Math.PI * uniformFloat64(generator));
  const run = (mean: number, { blocks, deviation }: { blocks: number; deviation: number }) => ({
    logRatios: Array.from({ length: blocks }, () => mean + deviation * normal()),
  });
  const runs = 4000;
  let [covered, alarms] = [0, 0];
  for (let count = 0; count < runs; count++) {
    const earlier = run(-0.4, { blocks: 6, deviation: 0.15 });
    const changed = compareReductions(earlier, run(-0.5, { blocks: 14, deviation: 0.05 }), 0.95)!;
    const truth = 1 - Math.exp(-0.1);
    if (changed.low <= truth && truth <= changed.high) covered++;
    const same = compareReductions(earlier, run(-0.4, { blocks: 14, deviation: 0.05 }), 0.95)!;
    if (same.p <= 0.05) alarms++;
    expect(same.p <= 0.05).toBe(same.low > 0 || same.high < 0);
  }
  // Three standard errors of the simulation.
  expect(covered / runs).toBeGreaterThan(0.94);
  expect(alarms / runs).toBeLessThan(0.06);
});
