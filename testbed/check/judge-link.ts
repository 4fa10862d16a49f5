import type { LinkDirection, LinkProfile } from '#core/evaluation/link-profile.ts';
import type { LinkFinding } from '#core/protocol/link-check.ts';
import { binomialBounds } from './binomial-bounds.ts';
import { probeFrameBytes } from './plan-check.ts';
import { quantileOrNull } from './quantile-or-null.ts';
import type { LinkMeasurement } from './link-measurement.ts';

/** A check is made before every Round: at 95 % one in twenty links that are right would be refused. */
const lossConfidence = 0.999;
/** Standard deviations to both sides for the same confidence. */
const deviations = 3.3;

/**
 * RTT (the median, serialisation included) within 1 ms or 1 %, the larger of the two; rate within 2 %; loss within its binomial interval.
 * Jitter widens the RTT's bounds by its size; loss, and jitter at the ends, the rate's by what they do to a sample of that size.
 * A rate that varies by design has no figure to be held against, and neither has its RTT.
 */
export function judgeLink(profile: LinkProfile, measurement: LinkMeasurement): LinkFinding[] {
  const findings: LinkFinding[] = [];
  for (const side of ['forward', 'return'] as const) {
    findings.push(judgeLoss(profile[side], { side, measurement }));
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

function judgeRoundTrip(profile: LinkProfile, { roundTripsMs }: LinkMeasurement): LinkFinding | null {
  const expected = idealRoundTripMs(profile);
  const canReturn = profile.forward.lossRatio < 1 && profile.return.lossRatio < 1;
  if (expected === null || !canReturn) return null;
  const tolerance = Math.max(1, expected / 100);
  const jitterMs = profile.forward.jitterMs + profile.return.jitterMs;
  return judge({
    figure: 'round trip',
    unit: 'ms',
    measured: quantileOrNull(roundTripsMs, 0.5),
    expected,
    low: expected - tolerance - jitterMs,
    high: expected + tolerance + jitterMs,
  });
}

interface Judged {
  side: 'forward' | 'return';
  measurement: LinkMeasurement;
}

function judgeRate({ rate, lossRatio, jitterMs }: LinkDirection, { side, measurement }: Judged): LinkFinding | null {
  if (rate.kind !== 'constant' || lossRatio >= 1) return null;
  const measured = measurement.rate[side];
  const expected = rate.kbps * (1 - lossRatio);
  const fromLoss = measured ? deviations * Math.sqrt((lossRatio * (1 - lossRatio)) / measured.packets) : 0;
  const fromJitter = measured ? (2 * jitterMs) / measured.overMs : 0;
  const tolerance = expected * (0.02 + fromLoss / (1 - lossRatio) + fromJitter);
  return judge({
    figure: `${side} rate`,
    unit: 'kbps',
    measured: measured?.kbps ?? null,
    expected,
    low: expected - tolerance,
    high: expected + tolerance,
  });
}

function judgeLoss({ lossRatio }: LinkDirection, { side, measurement }: Judged): LinkFinding {
  const trials = measurement.probesSent[side];
  const bounds = binomialBounds({ trials, ratio: lossRatio, confidence: lossConfidence });
  return judge({
    figure: `${side} loss`,
    unit: 'packets lost',
    measured: measurement.probesLost[side],
    expected: trials * lossRatio,
    ...bounds,
  });
}

function judge(finding: Omit<LinkFinding, 'isWithin'>): LinkFinding {
  const { measured, low, high } = finding;
  return { ...finding, isWithin: measured !== null && measured >= low && measured <= high };
}
