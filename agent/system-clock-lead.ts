import { epochClock, type EpochClock } from '#core/clock/epoch-clock.ts';

/** A reading as narrow as this is taken at once. Without an interruption it is below a hundredth of it. */
const narrowMs = 0.1;
const mostReadings = 20;

interface Clocks {
  epochClock: () => number;
  /** In whole milliseconds. */
  systemClock: () => number;
}

const ofThisProcess: Clocks = { epochClock, systemClock: () => Date.now() };

/**
 * The system clock as it is set now, as fine as that of this process: by it a program dates its events that is started now, as a browser. By its own clock, an Agent whose host
 * was asleep would be hours behind its browsers.
 */
export function readSystemClock(clocks: Clocks = ofThisProcess): EpochClock {
  const leadMs = readSystemClockLead(clocks);
  return () => clocks.epochClock() + leadMs;
}

interface LeadReading {
  leadMs: number;
  /** The lead is known to plus or minus half of this. */
  widthMs: number;
}

/**
 * By how much the system clock, which stamps packets, is ahead of this process's epoch clock, in milliseconds. The two part whenever the system clock
 * is corrected: over days by seconds. Of up to twenty readings the narrowest counts, as the process may be interrupted in one. Takes about a
 * millisecond a reading.
 */
export function readSystemClockLead(clocks: Clocks = ofThisProcess): number {
  let best: LeadReading = { leadMs: NaN, widthMs: Infinity };
  for (let reading = 0; reading < mostReadings && best.widthMs > narrowMs; reading++) {
    const next = readLead(clocks);
    if (next.widthMs < best.widthMs) best = next;
  }
  return best.leadMs;
}

/** Waits for the system clock's next millisecond, as Node.js reads it no finer: it begins after `beforeMs` and has begun at `afterMs`. */
function readLead({ epochClock, systemClock }: Clocks): LeadReading {
  let beforeMs = epochClock();
  const firstMs = systemClock();
  for (;;) {
    const betweenMs = epochClock();
    const systemMs = systemClock();
    const afterMs = epochClock();
    if (systemMs !== firstMs) return { leadMs: systemMs - (beforeMs + afterMs) / 2, widthMs: afterMs - beforeMs };
    beforeMs = betweenMs;
  }
}
