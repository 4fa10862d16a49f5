/** Longer ones are outages, which a trace of the rate has. */
export const longestMeanBurstPackets = 100;

/** The mean number of packets lost in a row where each loss is independent. Bursts are at least that long. */
export function independentBurstPackets(lossRatio: number): number {
  return 1 / (1 - lossRatio);
}

/**
 * The chances, at each packet, that a burst begins after one that was not lost, and that it ends after one that was. Their chain loses `lossRatio` of all
 * packets, and `burstPackets` in a row in the mean. Where that is the mean of independent losses, the chain is independent.
 */
export function burstChances(lossRatio: number, burstPackets: number): { begin: number; end: number } {
  const end = 1 / burstPackets;
  return { begin: (end * lossRatio) / (1 - lossRatio), end };
}
