import { expect, test } from 'vitest';
import { readSystemClock, readSystemClockLead } from '#agent/system-clock-lead.ts';

/** What a reading of a clock takes, in ms. */
const stepMs = 0.001;

/** Two clocks that move with each reading, the system clock ahead by so much. Some of its readings are interrupted for so long. */
function makeClocks({ leadMs, interruptions = [] }: { leadMs: number; interruptions?: number[] }) {
  let nowMs = 1_000_000.4;
  let previousMs = 0;
  return {
    epochClock: () => (nowMs += stepMs),
    systemClock: () => {
      nowMs += stepMs;
      const systemMs = Math.floor(nowMs + leadMs);
      // As it changes, where it harms most.
      if (systemMs !== previousMs) nowMs += interruptions.shift() ?? 0;
      previousMs = systemMs;
      return systemMs;
    },
  };
}

test.each([0, 0.25, 7_000, -3.9])(
  'a system clock that is ahead by %s ms is read to a few of its readings',
  (leadMs) => {
    expect(Math.abs(readSystemClockLead(makeClocks({ leadMs })) - leadMs)).toBeLessThanOrEqual(3 * stepMs);
  },
);

test('an interruption of the process beside the reading does no harm', () => {
  const interruptions = Array.from({ length: 19 }, (_, index) => 1 + index);
  const clocks = makeClocks({ leadMs: 0.25, interruptions });
  expect(Math.abs(readSystemClockLead(clocks) - 0.25)).toBeLessThanOrEqual(3 * stepMs);
  expect(interruptions).toEqual([]);
});

test('with no reading that was left alone, the narrowest counts', () => {
  const interruptions = Array.from({ length: 200 }, (_, index) => (index === 10 ? 0.3 : 0.7));
  const clocks = makeClocks({ leadMs: 0.25, interruptions });
  // Half of its width, and what its clocks take.
  expect(Math.abs(readSystemClockLead(clocks) - 0.25)).toBeLessThanOrEqual(0.15 + 3 * stepMs);
});

test('by the system clock, a program that was started after the host was asleep is not in the future', () => {
  const clocks = makeClocks({ leadMs: 7_200_000 });
  const systemClock = readSystemClock(clocks);
  expect(Math.abs(systemClock() - clocks.epochClock() - 7_200_000)).toBeLessThanOrEqual(4 * stepMs);
});
