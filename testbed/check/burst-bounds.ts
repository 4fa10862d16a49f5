/**
 * The smallest and the largest number of packets that so many bursts lose together, which are not in either tail of probability
 * (1 − confidence) / 2 each. A burst's length is geometric, so their sum is negative binomial. Exact, in logarithms, as many bursts are improbable numbers.
 */
export function burstBounds({
  bursts,
  burstPackets,
  confidence,
}: {
  bursts: number;
  burstPackets: number;
  confidence: number;
}): { low: number; high: number } {
  const tail = (1 - confidence) / 2;
  const end = 1 / burstPackets;
  let packets = bursts;
  let logProbability = bursts * Math.log(end);
  let cumulative = Math.exp(logProbability);
  let low: number | null = cumulative > tail ? packets : null;
  while (cumulative <= 1 - tail) {
    logProbability += Math.log((packets / (packets + 1 - bursts)) * (1 - end));
    packets += 1;
    cumulative += Math.exp(logProbability);
    if (cumulative > tail) low ??= packets;
  }
  return { low: low ?? packets, high: packets };
}
