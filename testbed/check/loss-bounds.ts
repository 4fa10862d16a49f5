import { burstChances } from '#core/evaluation/network/loss-bursts.ts';
import { binomialBounds } from './binomial-bounds.ts';

export interface LossBoundsOptions {
  /** Packets sent. */
  trials: number;
  ratio: number;
  /** Null where each loss is independent. */
  burstPackets: number | null;
  confidence: number;
}

/**
 * The smallest and the largest number of lost packets that are not in either tail, of probability (1 − confidence) / 2 each.
 * Exact. Nobody knows whether a burst was under way at the first packet: so the smallest counts from none, the largest from one.
 */
export function lossBounds({ trials, ratio, burstPackets, confidence }: LossBoundsOptions): {
  low: number;
  high: number;
} {
  if (burstPackets === null || ratio <= 0) return binomialBounds({ trials, ratio, confidence });
  const chances = burstChances(ratio, burstPackets);
  const tail = (1 - confidence) / 2;
  return {
    low: quantile(distributeLosses(trials, { ...chances, isInBurst: false }), tail),
    high: quantile(distributeLosses(trials, { ...chances, isInBurst: true }), 1 - tail),
  };
}

/** The probability of each number of losses among so many packets. */
function distributeLosses(
  trials: number,
  { begin, end, isInBurst }: { begin: number; end: number; isInBurst: boolean },
): Float64Array {
  // By the number of losses so far: that the next packet is kept, or lost.
  const kept = new Float64Array(trials + 1);
  const lost = new Float64Array(trials + 1);
  (isInBurst ? lost : kept)[0] = 1;
  for (let sent = 0; sent < trials; sent++) {
    for (let losses = sent + 1; losses >= 0; losses--) {
      const afterKept = kept[losses]!;
      const afterLost = losses === 0 ? 0 : lost[losses - 1]!;
      kept[losses] = afterKept * (1 - begin) + afterLost * end;
      lost[losses] = afterKept * begin + afterLost * (1 - end);
    }
  }
  return kept.map((probability, losses) => probability + lost[losses]!);
}

/** The smallest number whose cumulative probability is above this. */
function quantile(distribution: Float64Array, probability: number): number {
  let cumulative = 0;
  for (const [losses, ofThis] of distribution.entries()) {
    cumulative += ofThis;
    if (cumulative > probability) return losses;
  }
  return distribution.length - 1;
}
