const steps = 9;

/** Milliseconds since the epoch, with sub-millisecond resolution, never stepping backwards. */
export type EpochClock = () => number;

/** The clock of this process or page. Browsers date their timings by the same one. */
export const epochClock: EpochClock = () => performance.timeOrigin + performance.now();

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
