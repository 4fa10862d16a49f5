import { epochClock } from './epoch-clock.ts';

/**
 * By how much the system clock, which stamps packets, is ahead of this process's epoch clock, in milliseconds. The two part whenever the system clock
 * is corrected: over days by seconds. Waits for the system clock's next millisecond, as Node.js reads it no finer.
 */
export function readSystemClockLead(): number {
  const beforeMs = Date.now();
  let systemMs = beforeMs;
  while (systemMs === beforeMs) systemMs = Date.now();
  return systemMs - epochClock();
}
