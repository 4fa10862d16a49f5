/** One exchange with the Controller; all four are epoch milliseconds, the outer two on this host's clock. */
export interface ClockExchange {
  sentEpochMs: number;
  receivedEpochMs: number;
  repliedEpochMs: number;
  returnedEpochMs: number;
}

export interface ClockOffset {
  /** Controller clock minus this host's clock. */
  offsetMs: number;
  /** Bound of its error. */
  errorMs: number;
}

/** An offset as one exchange shows it. */
export interface ClockSample extends ClockOffset {
  /** When it was right, on this host's clock. */
  epochMs: number;
}

/** How far apart two quartz clocks may run: ±50 ppm each. */
export const maximumDriftRatio = 100e-6;

/**
 * What one exchange shows (RFC 5905, section 8). Its error is at most half the round trip, however the way there and the way back differ, and the
 * step of this host's clock, which is coarse in browsers. Each half of the exchange bounds the offset at its own end: between an end and the middle the
 * clocks may drift.
 */
export function readExchange(
  { sentEpochMs, receivedEpochMs, repliedEpochMs, returnedEpochMs }: ClockExchange,
  resolutionMs: number,
): ClockSample {
  const takenMs = returnedEpochMs - sentEpochMs;
  return {
    epochMs: (sentEpochMs + returnedEpochMs) / 2,
    offsetMs: (receivedEpochMs - sentEpochMs + (repliedEpochMs - returnedEpochMs)) / 2,
    // An exchange may seem to have taken less than no time on a coarse clock.
    errorMs:
      Math.max(0, (takenMs - (repliedEpochMs - receivedEpochMs)) / 2) +
      resolutionMs +
      (maximumDriftRatio * Math.abs(takenMs)) / 2,
  };
}
