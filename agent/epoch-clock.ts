/** Milliseconds since the epoch, with sub-millisecond resolution, never stepping backwards. */
export type EpochClock = () => number;

export const epochClock: EpochClock = () => performance.timeOrigin + performance.now();
