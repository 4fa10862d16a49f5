import { afterEach, expect, test, vi } from 'vitest';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { readSystemClockLead } from '#agent/system-clock-lead.ts';

/** Of one reading, on a machine that does other work. */
const errorMs = 0.1;

afterEach(() => void vi.restoreAllMocks());

/** Epoch clock and lead together are the system clock, which Node.js reads in whole milliseconds. The process may be interrupted at any place. */
function expectLead(leadMs: number): void {
  for (let reading = 0; reading < 100; reading++) {
    const beforeMs = epochClock();
    const systemMs = Date.now();
    const afterMs = epochClock();
    expect(systemMs - leadMs).toBeLessThan(afterMs + errorMs);
    expect(systemMs + 1 - leadMs).toBeGreaterThan(beforeMs - errorMs);
  }
}

test('epoch clock and lead together are the system clock', () => {
  expectLead(readSystemClockLead());
});

test('an interruption of the process beside the reading does no harm', () => {
  const { now } = Date;
  let previousMs = now();
  let interruptions = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => {
    const systemMs = now();
    if (systemMs !== previousMs && interruptions < 3) {
      interruptions++;
      for (const endMs = epochClock() + 3; epochClock() < endMs;);
    }
    previousMs = systemMs;
    return systemMs;
  });
  const leadMs = readSystemClockLead();
  vi.restoreAllMocks();
  expect(interruptions).toBe(3);
  expectLead(leadMs);
});

test('a system clock that was set forward leads by as much', () => {
  const before = readSystemClockLead();
  const { now } = Date;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 7_000);
  expect(readSystemClockLead() - before).toBeGreaterThan(6_999);
  expect(readSystemClockLead() - before).toBeLessThan(7_001);
});
