import { expect, it } from 'vitest';
import type { ComparedOutcome } from '#core/comparison/outcome/run-outcome.ts';
import { placeOutcome, reachOf } from '#web-ui/src/components/outcome/place-outcome.ts';

const outcome: ComparedOutcome = {
  kind: 'compared',
  text: 'HTTP/2 takes 12 % less time (9–15 %)',
  metric: 'totalMs',
  scenario: 'HTTP/2',
  baseline: 'HTTP/1.1',
  verdict: 'faster',
  ratio: 0.12,
  low: 0.09,
  high: 0.15,
  confidence: 0.95,
  margin: 0.05,
  otherScenarios: 0,
};

it('reaches to the widest interval of the list, within limits', () => {
  expect(reachOf([])).toBeCloseTo(0.105);
  expect(reachOf([outcome, { ...outcome, low: -0.3 }])).toBeCloseTo(0.315);
  expect(reachOf([{ ...outcome, low: -7 }])).toBe(0.5);
});

it('places point, interval and band from the left end of the axis, −1, to the right one', () => {
  expect(placeOutcome(outcome, 0.3)).toEqual({
    point: expect.closeTo(0.4) as number,
    low: expect.closeTo(0.3) as number,
    high: expect.closeTo(0.5) as number,
    isCutLow: false,
    isCutHigh: false,
    isBeyond: false,
    band: { low: expect.closeTo(-0.1754) as number, high: expect.closeTo(0.1667) as number },
  });
});

it('distinguishes an effect beyond the axis from one whose interval alone goes beyond it', () => {
  // 41 % (25–53 %) and 94 % (87–97 %) in one list, whose axis ends at 50 %.
  const [near, far] = [
    { ...outcome, ratio: 0.41, low: 0.25, high: 0.53 },
    { ...outcome, ratio: 0.94, low: 0.87, high: 0.97 },
  ].map((each) => placeOutcome(each, 0.5));
  expect([near!.isCutHigh, near!.isBeyond]).toEqual([true, false]);
  expect([far!.isCutHigh, far!.isBeyond]).toEqual([true, true]);
});

it('cuts what is beyond the axis, and draws nothing without an effect', () => {
  expect(placeOutcome({ ...outcome, ratio: -2, low: -7, high: 0.1 }, 0.5)).toMatchObject({
    point: -1,
    low: -1,
    isCutLow: true,
    isCutHigh: false,
  });
  expect(placeOutcome({ ...outcome, ratio: null }, 0.5)).toBeNull();
  expect(placeOutcome({ ...outcome, low: null, high: null, margin: null }, 0.5)).toMatchObject({
    low: null,
    band: null,
  });
});
