import type { Network } from '../../evaluation/network/network.ts';
import type { Scenario } from '../../evaluation/scenarios/scenario.ts';
import { takesPart } from '../../evaluation/scenarios/solo-scenarios.ts';
import type { RoundTraffic, UserTraffic } from '../../record/round-traffic.ts';
import type { BandwidthComparison, ScenarioBandwidth } from '../comparison.ts';
import { estimateMean } from '../estimate.ts';
import { jainIndex } from '../../statistics/jain-index.ts';

interface Design {
  scenarios: string[];
  userAgents: string[];
  /** Those that take part in each Scenario; all unless given. */
  usersOf?: ReadonlyMap<string, readonly string[]>;
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
  { userAgents, usersOf, confidence, weights }: Design,
): ScenarioBandwidth {
  const own = usersOf?.get(scenario) ?? userAgents;
  const weightOf = weights.get(scenario) ?? null;
  const counted = rounds.flatMap((round) => {
    // One alone shares with nobody.
    const shares = own.length > 1 && round.users.length === own.length ? shareBandwidth(round.users) : null;
    return shares === null ? [] : [{ shares, hasDrops: round.hasDrops }];
  });
  return {
    scenario,
    roundsCounted: counted.length,
    roundsLeftOut: own.length > 1 ? rounds.length - counted.length : 0,
    roundsWithDrops: counted.filter(({ hasDrops }) => hasDrops).length,
    shares: own.flatMap((userAgent) => {
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

interface Weighed extends Partial<Pick<Scenario, 'userAgents'>> {
  network?: Pick<Network, 'classes' | 'weights'> | undefined;
  httpep?: Pick<NonNullable<Scenario['httpep']>, 'classes'> | undefined;
}

/**
 * The weight of each User Agent that takes part: an equal part of the weight of its class, as the emulated link or HTTPEP shares, or as `weights` declares. Null where the Scenario has
 * neither, or a User Agent is of none of them: what it is due is not said then.
 */
export function weighUsers(
  all: readonly { name: string; userClass?: string | undefined }[],
  scenario: Weighed,
): Map<string, number> | null {
  const { network, httpep } = scenario;
  const classes = new Map(Object.entries(network?.classes ?? network?.weights ?? httpep?.classes ?? {}));
  const userAgents = all.filter(({ name }) => takesPart(scenario, name));
  const weights = new Map<string, number>();
  for (const { name, userClass } of userAgents) {
    const weight = userClass === undefined ? undefined : classes.get(userClass);
    if (weight === undefined) return null;
    weights.set(name, weight / userAgents.filter((other) => other.userClass === userClass).length);
  }
  return weights;
}
