/** Milliseconds since the epoch, with sub-millisecond resolution, never stepping backwards. */
export type EpochClock = () => number;

/** The clock of this process or page. Browsers date their timings by the same one. */
export const epochClock: EpochClock = () => performance.timeOrigin + performance.now();
