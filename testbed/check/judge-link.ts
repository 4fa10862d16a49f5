import { type LinkDirection, type LinkProfile, burstChances } from '#core/evaluation/network/link-profile.ts';
import type { LinkFinding } from '#core/protocol/link-check.ts';
import { loadFrameBytes, probeFrameBytes, probeIntervalOf, binomialBounds, holdsProbesUp } from './plan-check.ts';
import { LinkModel } from '../link/model/link-model.ts';
import { quantileOrNull } from '#core/statistics/sample-quantile.ts';

/** Where in a frame the first probe may fall: as many places as this, evenly. */
const phases = 16;

/** A check is made before every Round: at 95 % one in twenty links that are right would be refused. */
const lossConfidence = 0.999;
/** How far the median round trip may be off, as a share of it. */
const fixedShare = 0.01;
const grantedShare = 0.05;
/** Of more packets than these, the share that is lost is held to the bounds of these: exact bounds take the square of their number. */
const mostExactPackets = 4000;

/**
 * RTT (the median, serialisation included) within 1 ms or 1 %, the larger of the two; rate within 2 %; loss and the length of bursts
 * within the intervals of their models. Jitter widens the RTT's bounds by its size; loss, and jitter at the ends, the rate's by what they do to a sample of that size.
 * A rate that varies by design has no figure to be held against. Over capacity on demand, the RTT is within 5 % of the model's; over a trace it has no figure, nor have losses where probes wait for a trace.
 */
export function judgeLink(profile: LinkProfile, measurement: LinkMeasurement): LinkFinding[] {
  const findings: LinkFinding[] = [];
  const areLossesSeen = !holdsProbesUp(profile, probeIntervalOf(profile));
  for (const side of ['forward', 'return'] as const) {
    if (areLossesSeen) findings.push(judgeLoss(profile[side], { side, measurement }));
    const burst = areLossesSeen ? judgeBurst(profile[side], { side, measurement }) : null;
    if (burst) findings.push(burst);
    const rate = judgeRate(profile[side], { side, measurement });
    if (rate) findings.push(rate);
  }
  const roundTrip = judgeRoundTrip(profile, measurement);
  return roundTrip ? [roundTrip, ...findings] : findings;
}

/** What a probe takes on an idle link; null where the rate varies. */
export function idealRoundTripMs(profile: LinkProfile): number | null {
  const parts = [profile.forward, profile.return].map(({ rate, delayMs }) => {
    if (rate.kind === 'unlimited') return delayMs;
    return rate.kind === 'constant' ? delayMs + (probeFrameBytes * 8) / rate.kbps : null;
  });
  return parts.includes(null) ? null : parts.reduce<number>((sum, part) => sum + part!, 0);
}

function judgeRoundTrip(
  profile: LinkProfile,
  { roundTripsMs, probesSent }: Pick<LinkMeasurement, 'roundTripsMs' | 'probesSent'>,
): LinkFinding | null {
  const ideal = expectRoundTrip(profile, probesSent.return);
  const canReturn = profile.forward.lossRatio < 1 && profile.return.lossRatio < 1;
  if (ideal === null || !canReturn) return null;
  const { expected } = ideal;
  const tolerance = Math.max(1, expected * (isGranted(profile) ? grantedShare : fixedShare));
  const jitterMs = profile.forward.jitterMs + profile.return.jitterMs;
  return judge({
    figure: 'round trip',
    unit: 'ms',
    measured: quantileOrNull(roundTripsMs, 0.5),
    expected,
    low: ideal.low - tolerance - jitterMs,
    high: ideal.high + tolerance + jitterMs,
  });
}

/** Null where the rate follows a trace. */
function expectRoundTrip(profile: LinkProfile, probes: number): { expected: number; low: number; high: number } | null {
  const kinds = [profile.forward.rate.kind, profile.return.rate.kind];
  if (kinds.includes('trace')) return null;
  const expected = idealRoundTripMs(profile);
  if (expected !== null) return { expected, low: expected, high: expected };
  return modelRoundTrip(profile, { count: Math.max(1, probes), intervalMs: probeIntervalOf(profile) });
}

/** Whether packets wait for a grant: not over a constant assignment alone. */
function isGranted(profile: LinkProfile): boolean {
  return [profile.forward, profile.return].some(
    ({ rate }) => rate.kind === 'on-demand' && rate.demand.rateBasedMaxKbps + rate.demand.volumeBasedMaxKbps > 0,
  );
}

interface Judged {
  side: 'forward' | 'return';
  measurement: LinkMeasurement;
}

function judgeRate(direction: LinkDirection, { side, measurement }: Judged): LinkFinding | null {
  const { rate, lossRatio, jitterMs } = direction;
  if (rate.kind !== 'constant' || lossRatio >= 1) return null;
  const measured = measurement.rate[side];
  const expected = rate.kbps * (1 - lossRatio);
  const fromJitter = measured ? (2 * jitterMs) / measured.overMs : 0;
  const tolerance = expected * (0.02 + fromJitter);
  const sentPackets = measured ? Math.round((rate.kbps * measured.overMs) / (8 * loadFrameBytes)) : 0;
  const lost = lostShare(direction, Math.max(1, Math.min(mostExactPackets, sentPackets)));
  return judge({
    figure: `${side} rate`,
    unit: 'kbps',
    measured: measured?.kbps ?? null,
    expected,
    low: rate.kbps * (1 - lost.high) - tolerance,
    high: rate.kbps * (1 - lost.low) + tolerance,
  });
}

/** The smallest and the largest share of so many packets that may be lost. */
function lostShare(direction: LinkDirection, trials: number): { low: number; high: number } {
  const { low, high } = boundLosses(direction, trials);
  return { low: low / trials, high: high / trials };
}

function boundLosses({ lossRatio, lossBurstPackets }: LinkDirection, trials: number): { low: number; high: number } {
  return lossBounds({ trials, ratio: lossRatio, burstPackets: lossBurstPackets, confidence: lossConfidence });
}

function judgeLoss(direction: LinkDirection, { side, measurement }: Judged): LinkFinding {
  const trials = measurement.probesSent[side];
  return judge({
    figure: `${side} loss`,
    unit: 'packets lost',
    measured: measurement.probesLost[side].lost,
    expected: trials * direction.lossRatio,
    ...boundLosses(direction, trials),
  });
}

/** The mean length of the bursts that were seen; null where none was, or none is to be. */
function judgeBurst({ lossBurstPackets }: LinkDirection, { side, measurement }: Judged): LinkFinding | null {
  const { lost, bursts } = measurement.probesLost[side];
  if (lossBurstPackets === null || bursts === 0) return null;
  const { low, high } = burstBounds({ bursts, burstPackets: lossBurstPackets, confidence: lossConfidence });
  return judge({
    figure: `${side} loss burst`,
    unit: 'packets in a row',
    measured: lost / bursts,
    expected: lossBurstPackets,
    low: low / bursts,
    high: high / bursts,
  });
}

function judge(finding: Omit<LinkFinding, 'isWithin'>): LinkFinding {
  const { measured, low, high } = finding;
  return { ...finding, isWithin: measured !== null && measured >= low && measured <= high };
}

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

/** The median round trip of probes over a link with capacity on demand, by its model: in the mean over where in a frame they begin, and the least and the most. */
function modelRoundTrip(
  profile: LinkProfile,
  { count, intervalMs }: { count: number; intervalMs: number },
): { expected: number; low: number; high: number } {
  const longestFrameMs = Math.max(frameMsOf(profile.forward), frameMsOf(profile.return));
  const medians = Array.from({ length: phases }, (_, phase) => {
    const startMs = (phase / phases) * longestFrameMs;
    const sentMs = Array.from({ length: count }, (_each, index) => startMs + index * intervalMs);
    const arrivedMs = cross(profile.forward, cross(profile.return, sentMs));
    return quantileOrNull(
      arrivedMs.map((atMs, index) => atMs - sentMs[index]!),
      0.5,
    )!;
  });
  return {
    expected: medians.reduce((sum, each) => sum + each, 0) / phases,
    low: Math.min(...medians),
    high: Math.max(...medians),
  };
}

function frameMsOf({ rate }: LinkDirection): number {
  return rate.kind === 'on-demand' ? rate.demand.frameMs : 0;
}

/** When probes that come at these times leave a direction that loses none. */
function cross(direction: LinkDirection, timesMs: readonly number[]): number[] {
  const model = new LinkModel<null>({
    direction: { ...direction, lossRatio: 0, lossBurstPackets: null, jitterMs: 0 },
    random: () => 0.5,
    startMs: 0,
  });
  const leftMs: number[] = [];
  const takeUntil = (ms: number) => leftMs.push(...model.take(ms).map(({ dueMs }) => dueMs));
  for (const atMs of timesMs) {
    takeUntil(atMs);
    model.arrive(null, { sizeBytes: probeFrameBytes, atMs });
  }
  for (let nextMs = model.nextEventMs(); nextMs < Infinity; nextMs = model.nextEventMs()) takeUntil(nextMs);
  return leftMs;
}

interface LossBoundsOptions {
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

/** What was seen of the link. */
export interface LinkMeasurement {
  /** Of the probes that came back, in the order in which they did. */
  roundTripsMs: number[];
  probesSent: { forward: number; return: number };
  probesLost: { forward: Losses; return: Losses };
  /** At the receiver, between the first and the last full packet. Null where nothing was loaded, or fewer than two came. */
  rate: Record<'forward' | 'return', { kbps: number; packets: number; overMs: number } | null>;
}

/** Which of the packets that were sent in a row did not arrive. */
interface Losses {
  lost: number;
  /** Of one or more lost in a row. */
  bursts: number;
}

/** `arrived`: the numbers of the packets that did, from 0 to `sent` − 1, each once and in order, as no packet overtakes another. */
export function countLosses(arrived: readonly number[], sent: number): Losses {
  const ends = [-1, ...arrived, sent];
  let bursts = 0;
  for (let index = 1; index < ends.length; index++) if (ends[index]! - ends[index - 1]! > 1) bursts += 1;
  return { lost: sent - arrived.length, bursts };
}
