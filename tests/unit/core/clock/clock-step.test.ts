import { expect, test } from 'vitest';
import { asOfSystemClock, describeClockStep, readCoarseLead } from '#core/clock/epoch-clock.ts';

test.for([
  [0, 0, null],
  [7_200_000, 7_200_100, null],
  [-3_000, -3_200, null],
  [0, 10_000, 'the clock of its host was set forward by 10.0 s, or the host was asleep'],
  [7_200_000, 7_190_000, 'the clock of its host was set back by 10.0 s'],
] as const)('a lead of %d ms, and then of %d ms: %s', ([before, after, words]) => {
  expect(describeClockStep(before, after)).toBe(words);
});

test('a reading in which the process was interrupted does not count', () => {
  let nowMs = 1_000;
  const pauses = [400, 0, 300, 0, 0];
  const clock = () => (nowMs += pauses.shift() ?? 0.1);
  expect(readCoarseLead(clock, () => nowMs + 50)).toBeCloseTo(50, 0);
});

test.for([
  [3, 1.4, 3],
  [7_200_003, 7_200_000, 3],
  [-3_000, -3_600, 600],
] as const)('an offset of %d ms from a clock that is %d ms behind is shown as %d ms', ([offsetMs, leadMs, shownMs]) => {
  expect(asOfSystemClock({ offsetMs, errorMs: 0.1 }, leadMs)).toEqual({ offsetMs: shownMs, errorMs: 0.1 });
});
