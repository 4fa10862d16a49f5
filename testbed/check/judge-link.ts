import type { LinkDirection, LinkProfile } from '#core/evaluation/network/link-profile.ts';
import type { LinkFinding } from '#core/protocol/link-check.ts';
import { burstBounds } from './burst-bounds.ts';
import { lossBounds } from './loss-bounds.ts';
import { modelRoundTrip } from './model-round-trip.ts';
import { loadFrameBytes, probeFrameBytes, probeIntervalOf } from './plan-check.ts';
import { quantileOrNull } from './quantile-or-null.ts';
import type { LinkMeasurement } from './link-measurement.ts';

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
 * A rate that varies by design has no figure to be held against. Over capacity on demand, the RTT is within 5 % of the model's; over a trace it has no figure.
 */
export function judgeLink(profile: LinkProfile, measurement: LinkMeasurement): LinkFinding[] {
  const findings: LinkFinding[] = [];
  for (const side of ['forward', 'return'] as const) {
    findings.push(judgeLoss(profile[side], { side, measurement }));
    const burst = judgeBurst(profile[side], { side, measurement });
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
