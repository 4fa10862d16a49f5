import type { RoundTraffic } from '../../record/round-traffic.ts';
import { shareBandwidth } from './bandwidth-share.ts';
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
