import { largestFrameBytes, type LinkDirection } from '#core/evaluation/network/link-profile.ts';
import { burstChances } from '#core/evaluation/network/loss-bursts.ts';

/** As good as unlimited: 1.2 µs for a full packet. */
const fastestBitsPerSecond = 10_000_000_000;
/** A token bucket that is woken up later than this would lose tokens, and with them rate. A kernel without precise timers has ticks of 10 ms. */
const wakeUpMs = 10;
const smallestFrameBytes = 60;

/** The two queueing disciplines that a direction passes, as the arguments of tc. */
export interface QdiscArguments {
  /**
   * The queue: a token bucket that lets packets wait, and lets them go at the link's rate on average. Its bucket holds one packet, which
   * is for the one that is being sent, and some more, which goes ahead and waits in the flight instead: the limit is less by that.
   */
  queue: string[];
  /**
   * Serialisation at the exact rate, then loss and delay. With a rate, netem keeps packets in order at any jitter. Its limit is
   * beyond all that can fly: nothing is dropped here but by chance.
   */
  flight: string[];
}

/** Throws for a rate that varies: the kernel has nothing for that. */
export function qdiscArguments(direction: LinkDirection): QdiscArguments {
  const { rate, queueBytes, delayMs, jitterMs } = direction;
  if (rate.kind !== 'constant' && rate.kind !== 'unlimited')
    throw new TypeError(`netem has no rate of kind ${rate.kind}`);
  const bitsPerSecond = rate.kind === 'constant' ? Math.round(rate.kbps * 1000) : fastestBitsPerSecond;
  const aheadBytes = Math.floor(Math.min((bitsPerSecond / 8000) * wakeUpMs, queueBytes - largestFrameBytes));
  const burstBytes = largestFrameBytes + aheadBytes;
  const flyingBytes = (bitsPerSecond / 8000) * (delayMs + jitterMs) + burstBytes;
  return {
    queue: ['tbf', 'rate', `${bitsPerSecond}bit`, 'burst', `${burstBytes}`, 'limit', `${queueBytes - aheadBytes}`],
    flight: [
      'netem',
      ...['limit', `${Math.min(10_000_000, Math.ceil(1000 + flyingBytes / smallestFrameBytes))}`],
      ...['delay', microseconds(delayMs), ...(jitterMs > 0 ? [microseconds(jitterMs)] : [])],
      ...lossArguments(direction),
      ...['rate', `${bitsPerSecond}bit`],
    ],
  };
}

function lossArguments({ lossRatio, lossBurstPackets }: LinkDirection): string[] {
  if (lossRatio <= 0) return [];
  if (lossBurstPackets === null) return ['loss', percent(lossRatio)];
  const { begin, end } = burstChances(lossRatio, lossBurstPackets);
  return ['loss', 'gemodel', percent(begin), percent(end)];
}

function percent(ratio: number): string {
  return `${ratio * 100}%`;
}

function microseconds(ms: number): string {
  return `${Math.round(ms * 1000)}us`;
}
