import type { RoundTraffic, UserTraffic } from '../../record/round-traffic.ts';
import type { BandwidthComparison, ScenarioBandwidth } from '../comparison.ts';
import { estimateMean } from '../estimate.ts';
import { jainIndex } from '../../statistics/jain-index.ts';

interface Design {
  scenarios: string[];
  userAgents: string[];
  confidence: number;
  /** What each User Agent is due, by Scenario; null where that is not said. */
  weights: ReadonlyMap<string, ReadonlyMap<string, number> | null>;
}

/** How the User Agents of each Scenario shared the way to them. `rounds` has every counted Round of a Run, captured or not. */
export function compareBandwidth(rounds: readonly RoundTraffic[], design: Design): BandwidthComparison {
  if (design.userAgents.length < 2) return { kind: 'absent', reason: 'Sharing needs at least two User Agents.' };
  const scenarios = design.scenarios.map((scenario) =>
    summarize(
      scenario,
      rounds.filter((round) => round.scenario === scenario),
      design,
    ),
  );
  if (scenarios.every(({ roundsCounted }) => roundsCounted === 0)) {
    return {
      kind: 'absent',
      reason:
        'No counted Round has the packets of every User Agent. Give each User Agent a "sourceAddress", and enable "capture".',
    };
  }
  return { kind: 'measured', scenarios };
}

function summarize(
  scenario: string,
  rounds: readonly RoundTraffic[],
  { userAgents, confidence, weights }: Design,
): ScenarioBandwidth {
  const weightOf = weights.get(scenario) ?? null;
  const counted = rounds.flatMap((round) => {
    const shares = round.users.length === userAgents.length ? shareBandwidth(round.users) : null;
    return shares === null ? [] : [{ shares, hasDrops: round.hasDrops }];
  });
  return {
    scenario,
    roundsCounted: counted.length,
    roundsLeftOut: rounds.length - counted.length,
    roundsWithDrops: counted.filter(({ hasDrops }) => hasDrops).length,
    shares: userAgents.flatMap((userAgent) => {
      const estimate = estimateMean(
        counted.map(({ shares }) => shares.find((user) => user.userAgent === userAgent)!.share),
        confidence,
      );
      return estimate === null ? [] : [{ userAgent, estimate }];
    }),
    fairness: estimateMean(
      counted.map(({ shares }) => jainIndex(shares.map(({ bytes }) => bytes))),
      confidence,
    ),
    weightedFairness:
      weightOf &&
      estimateMean(
        counted.map(({ shares }) => jainIndex(shares.map(({ userAgent, bytes }) => bytes / weightOf.get(userAgent)!))),
        confidence,
      ),
    leastToMost: estimateMean(
      counted.map(({ shares }) => leastToMost(shares.map(({ bytes }) => bytes))),
      confidence,
    ),
  };
}

/** What the User Agent with the least received over what the one with the most did: from 0 (one received nothing) to 1 (all the same). Somebody received something. */
function leastToMost(received: readonly number[]): number {
  return Math.min(...received) / Math.max(...received);
}

/**
 * The bytes that each User Agent received over the time when all were active: from the latest of their first packets to the earliest of
 * their last ones, both exact. Bytes are taken from bins of 100 ms (longer in very long Passes): a bin counts when its middle falls in that time.
 * Null when they were never active together, or nobody received anything then.
 */
export function shareBandwidth(
  users: readonly UserTraffic[],
): { userAgent: string; bytes: number; share: number }[] | null {
  const fromEpochMs = Math.max(...users.map((user) => user.firstPacketEpochMs));
  const toEpochMs = Math.min(...users.map((user) => user.lastPacketEpochMs));
  const counted = users.map((user) => ({
    userAgent: user.userAgent,
    bytes: countBytes(user, { fromEpochMs, toEpochMs }),
  }));
  const total = counted.reduce((sum, { bytes }) => sum + bytes, 0);
  return total === 0 ? null : counted.map((user) => ({ ...user, share: user.bytes / total }));
}

function countBytes(
  { received, clockOffsetMs }: UserTraffic,
  time: { fromEpochMs: number; toEpochMs: number },
): number {
  const { binMs, bins, bytes } = received;
  return bins.reduce((total, bin, index) => {
    const middleEpochMs = (bin + 0.5) * binMs + clockOffsetMs;
    return middleEpochMs >= time.fromEpochMs && middleEpochMs <= time.toEpochMs ? total + bytes[index]! : total;
  }, 0);
}
