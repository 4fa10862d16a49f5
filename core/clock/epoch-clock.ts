const steps = 9;

/** Milliseconds since the epoch, with sub-millisecond resolution, never stepping backwards. */
export type EpochClock = () => number;

/** The clock of this process or page. Browsers date their timings by the same one. */
export const epochClock: EpochClock = () => performance.timeOrigin + performance.now();

/** Less may be an error of reading: some browsers show time in steps of 100 ms. Where a clock is corrected little by little, all clocks of its machine are. */
const steadyMs = 250;
const mostReadings = 20;
const narrowMs = 1;

/** How far the system clock is ahead of this process’s own, to about a millisecond. Of up to twenty readings the narrowest counts, as the process may be interrupted in one. */
export function readCoarseLead(clock: EpochClock = epochClock, systemClock: EpochClock = () => Date.now()): number {
  let best = { leadMs: NaN, widthMs: Infinity };
  for (let reading = 0; reading < mostReadings && best.widthMs > narrowMs; reading++) {
    const beforeMs = clock();
    const leadMs = systemClock() - beforeMs;
    const widthMs = clock() - beforeMs;
    if (widthMs < best.widthMs) best = { leadMs, widthMs };
  }
  return best.leadMs;
}

/**
 * How a system clock was set between two readings of its lead before the clock of a process; null where it was not. What one program dates by the
 * system clock and another by its own does not fit together then.
 */
export function describeClockStep(beforeLeadMs: number, leadMs: number = readCoarseLead()): string | null {
  const stepMs = leadMs - beforeLeadMs;
  if (Math.abs(stepMs) < steadyMs) return null;
  const seconds = (Math.abs(stepMs) / 1000).toFixed(1);
  return stepMs > 0
    ? `the clock of its host was set forward by ${seconds} s, or the host was asleep`
    : `the clock of its host was set back by ${seconds} s`;
}

/** An offset from this process’s own clock, as one from the system clock where that was set since the process began, such as while its host was asleep. For people, who know no other. */
export function asOfSystemClock<Offset extends { offsetMs: number }>(
  offset: Offset,
  leadMs: number = readCoarseLead(),
): Offset {
  return describeClockStep(0, leadMs) === null ? offset : { ...offset, offsetMs: offset.offsetMs - leadMs };
}

/** The usual step of a clock, which browsers make coarse: the median of some that follow each other. */
export function measureResolution(clock: () => number): number {
  const seen: number[] = [];
  let before = clock();
  while (seen.length < steps) {
    const now = clock();
    if (now > before) seen.push(now - before);
    before = now;
  }
  return seen.sort((a, b) => a - b)[(steps - 1) / 2]!;
}
