import { peakKbps, type LinkDirection, type LinkProfile } from '#core/evaluation/network/link-profile.ts';

/** Ethernet, IP and UDP headers. */
export const headerBytes = 14 + 20 + 8;
/** The smallest frame of Ethernet. */
export const probeFrameBytes = 60;
export const loadFrameBytes = 1514;

export interface CheckEffort {
  /** For how long probes are sent, and for how long the link is loaded. */
  probeForMs: number;
  loadForMs: number;
}

/** Enough to see RTT, rate and a gross loss, within five seconds at 600 ms. */
export const shortEffort: CheckEffort = { probeForMs: 1_500, loadForMs: 1_500 };

export interface DirectionLoad {
  kbps: number;
  /** Sent at once, so that the queue does not run empty while the sender is held up. */
  burstBytes: number;
  totalBytes: number;
}

export interface CheckPlan {
  probeCount: number;
  probeIntervalMs: number;
  /** What the probes and the last packets of the load may still take, at the most. */
  settleMs: number;
  /** Null where the rate is unlimited or follows a trace: nothing is loaded. */
  forward: DirectionLoad | null;
  return: DirectionLoad | null;
}

const mostLoadBytes = 64 * 1024 * 1024;
const briefestIntervalMs = 2;
const spareMs = 150;
const overload = 1.1;

/** Of capacity on demand, each probe comes in a frame of its own, and at all places in a frame. */
const framesBetweenProbes = 3.37;

/** Probes take at most 40 % of the rate, so that they meet an empty queue. */
export function probeIntervalOf(profile: LinkProfile): number {
  const directions = [profile.forward, profile.return];
  const slowest = Math.min(...directions.map(({ rate }) => peakKbps(rate)));
  const frames = directions.map(({ rate }) => (rate.kind === 'on-demand' ? rate.demand.frameMs : 0));
  return Math.max(briefestIntervalMs, (2.5 * probeFrameBytes * 8) / slowest, framesBetweenProbes * Math.max(...frames));
}

/** How long a packet may wait for its grant: to the end of its frame, for the grant, and for its slots. 0 where a rate does not follow demand. */
function grantMs({ rate }: LinkDirection): number {
  return rate.kind === 'on-demand' ? rate.grantDelayMs + 4 * rate.demand.frameMs : 0;
}

/** The load is a tenth more than the rate. */
export function planCheck(profile: LinkProfile, { probeForMs, loadForMs }: CheckEffort): CheckPlan {
  const slowest = Math.min(peakKbps(profile.forward.rate), peakKbps(profile.return.rate));
  const probeIntervalMs = probeIntervalOf(profile);
  const pathMs = [profile.forward, profile.return].reduce(
    (sum, direction) => sum + direction.delayMs + direction.jitterMs + grantMs(direction),
    0,
  );
  return {
    probeCount: Math.max(10, Math.ceil(probeForMs / probeIntervalMs)),
    probeIntervalMs,
    settleMs: pathMs + (4 * probeFrameBytes * 8) / slowest + spareMs,
    forward: planLoad(profile.forward, loadForMs),
    return: planLoad(profile.return, loadForMs),
  };
}

function planLoad({ rate, queueBytes }: LinkDirection, loadForMs: number): DirectionLoad | null {
  const kbps = peakKbps(rate);
  // No rate of a trace is judged, and what waits when it falls would meet the Round.
  if (kbps === Infinity || rate.kind === 'trace') return null;
  return {
    kbps: kbps * overload,
    burstBytes: Math.min(queueBytes / 2, (kbps * 100) / 8),
    // On a very slow link, at least enough for three intervals between packets.
    totalBytes: Math.min(mostLoadBytes, Math.max(4 * loadFrameBytes, (kbps * overload * loadForMs) / 8)),
  };
}

/** Whether probes at this interval may come too late to be counted: where a trace falls below the rate that they take, they wait. */
export function holdsProbesUp(profile: LinkProfile, intervalMs: number): boolean {
  const probeKbps = (probeFrameBytes * 8) / intervalMs;
  return [profile.forward, profile.return].some(
    ({ rate }) => rate.kind === 'trace' && rate.trace.steps.some(([, kbps]) => kbps < probeKbps),
  );
}

/** How long it takes until all that was sent has left the queue: what was sent, or what the queue lets wait, at the rate. */
export function drainMs(direction: LinkDirection, load: DirectionLoad): number {
  const { rate, queueBytes, delayMs, jitterMs } = direction;
  const kbps = peakKbps(rate);
  const sendMs = (load.totalBytes * 8) / load.kbps;
  const excessBytes = Math.min(queueBytes, Math.max(0, load.totalBytes - (sendMs * kbps) / 8) + load.burstBytes);
  return ((excessBytes + 2 * loadFrameBytes) * 8) / kbps + grantMs(direction) + delayMs + jitterMs + spareMs;
}

/** How long a check takes: the probes, then the load of both directions at once. On a very slow link, a few packets take minutes. */
export function checkMs(profile: LinkProfile, effort: CheckEffort = shortEffort): number {
  const plan = planCheck(profile, effort);
  const loadMs = (['forward', 'return'] as const).map((side) => {
    const load = plan[side];
    return load === null ? 0 : (load.totalBytes * 8) / load.kbps + drainMs(profile[side], load);
  });
  return plan.probeCount * plan.probeIntervalMs + plan.settleMs + Math.max(...loadMs);
}

/**
 * The smallest and the largest number of successes that are not in either tail of a binomial distribution of probability
 * (1 − confidence) / 2 each. Exact: sums of probabilities, each from the one before by the ratio of two neighbours.
 */
export function binomialBounds({ trials, ratio, confidence }: { trials: number; ratio: number; confidence: number }): {
  low: number;
  high: number;
} {
  if (ratio <= 0) return { low: 0, high: 0 };
  if (ratio >= 1) return { low: trials, high: trials };
  const tail = (1 - confidence) / 2;
  return { low: quantile({ trials, ratio, tail }), high: trials - quantile({ trials, ratio: 1 - ratio, tail }) };
}

/** The smallest count whose cumulative probability is above the tail's. */
function quantile({ trials, ratio, tail }: { trials: number; ratio: number; tail: number }): number {
  // Logarithms, as (1 − ratio)^trials is too small for a number when there are many trials.
  let logProbability = trials * Math.log1p(-ratio);
  let cumulative = Math.exp(logProbability);
  let count = 0;
  while (cumulative <= tail && count < trials) {
    logProbability += Math.log(((trials - count) * ratio) / ((count + 1) * (1 - ratio)));
    count += 1;
    cumulative += Math.exp(logProbability);
  }
  return count;
}
