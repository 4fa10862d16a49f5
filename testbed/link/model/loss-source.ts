import type { LinkDirection } from '#core/evaluation/network/link-profile.ts';
import { burstChances } from '#core/evaluation/network/loss-bursts.ts';

/** Decides of one packet after another whether it is lost. */
export type LossSource = () => boolean;

/**
 * Each loss independent of the others, or in bursts: a chain of two states (Gilbert 1960) that loses every packet in the bad state and none
 * in the good one. As in netem, it begins in the good state, and a packet has the state that the one before it led to.
 * `random` is uniform in [0, 1), and read once for each packet where packets are lost at all.
 */
export function openLossSource(
  { lossRatio, lossBurstPackets }: Pick<LinkDirection, 'lossRatio' | 'lossBurstPackets'>,
  random: () => number,
): LossSource {
  if (lossRatio <= 0) return () => false;
  if (lossBurstPackets === null) return () => random() < lossRatio;
  const { begin, end } = burstChances(lossRatio, lossBurstPackets);
  let isBad = false;
  return () => {
    const isLost = isBad;
    if (random() < (isBad ? end : begin)) isBad = !isBad;
    return isLost;
  };
}
