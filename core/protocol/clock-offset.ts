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
  /** Bound of its error: half the round trip of the exchange that it was read from. */
  errorMs: number;
}

/**
 * The offset of the exchange with the shortest round trip: the one whose asymmetry can be least (RFC 5905, section 8, as NTP's clock filter
 * does). Throws when there is no exchange.
 */
export function estimateClockOffset(exchanges: readonly ClockExchange[]): ClockOffset {
  const offsets = exchanges.map(({ sentEpochMs, receivedEpochMs, repliedEpochMs, returnedEpochMs }) => ({
    offsetMs: (receivedEpochMs - sentEpochMs + (repliedEpochMs - returnedEpochMs)) / 2,
    // Browsers' clocks are coarse: an exchange may seem to have taken less than no time.
    errorMs: Math.max(0, (returnedEpochMs - sentEpochMs - (repliedEpochMs - receivedEpochMs)) / 2),
  }));
  return offsets.reduce((best, next) => (next.errorMs < best.errorMs ? next : best));
}
