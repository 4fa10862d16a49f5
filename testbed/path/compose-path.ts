import { peakKbps, type LinkDirection, type LinkProfile } from '#core/evaluation/network/link-profile.ts';
import { independentBurstPackets } from '#core/evaluation/network/loss-bursts.ts';
import { probeFrameBytes } from '../check/plan-check.ts';

/** The single link that does to a probe what all segments, in the order that the forward direction passes them, do together. */
export function composePath(profiles: readonly LinkProfile[]): LinkProfile {
  return {
    name: profiles.map(({ name }) => name).join(' + '),
    forward: composeDirection(profiles.map(({ forward }) => forward)),
    return: composeDirection(profiles.map(({ return: back }) => back)),
  };
}

/** Which of the directions in a row has the lowest peak rate; the first where several have. */
export function findBottleneck(directions: readonly LinkDirection[]): number {
  const peaks = directions.map(({ rate }) => peakKbps(rate));
  return peaks.indexOf(Math.min(...peaks));
}

function composeDirection(directions: readonly LinkDirection[]): LinkDirection {
  const bottleneck = directions[findBottleneck(directions)]!;
  const others = directions.filter((each) => each !== bottleneck);
  const lossRatio = combineLosses(directions);
  const bursts = directions.flatMap(({ lossBurstPackets }) => lossBurstPackets ?? []);
  return {
    rate: bottleneck.rate,
    queueBytes: bottleneck.queueBytes,
    lossRatio,
    // The longest of them: bounds that hold for it hold for all together.
    lossBurstPackets:
      bursts.length === 0 || lossRatio >= 1 ? null : Math.max(independentBurstPackets(lossRatio), ...bursts),
    delayMs: sum(directions.map(({ delayMs }) => delayMs)) + sum(others.map(probeMs)),
    jitterMs: sum(directions.map(({ jitterMs }) => jitterMs)),
  };
}

/** The probability that a packet is lost on one of them, as no loss on one depends on another. */
export function combineLosses(directions: readonly LinkDirection[]): number {
  return 1 - directions.reduce((kept, { lossRatio }) => kept * (1 - lossRatio), 1);
}

/** What a probe takes to be sent; 0 where that depends on when. */
function probeMs({ rate }: LinkDirection): number {
  return rate.kind === 'constant' ? (probeFrameBytes * 8) / rate.kbps : 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
