import { afterEach, expect, test, vi } from 'vitest';
import { epochClock } from '#agent/epoch-clock.ts';
import { readSystemClockLead } from '#agent/system-clock-lead.ts';

afterEach(() => void vi.restoreAllMocks());

test('epoch clock and lead together are the system clock, to a fraction of its millisecond', () => {
  const leadMs = readSystemClockLead();
  for (let reading = 0; reading < 100; reading++) {
    const systemMs = Date.now();
    expect(Math.abs(epochClock() + leadMs - systemMs - 0.5)).toBeLessThan(1.5);
  }
});

test('a system clock that was set forward leads by as much', () => {
  const before = readSystemClockLead();
  const { now } = Date;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 7_000);
  expect(readSystemClockLead() - before).toBeGreaterThan(6_999);
  expect(readSystemClockLead() - before).toBeLessThan(7_001);
});
