import { z } from 'zod';
import type { ByteSeries } from '../../packets/measures/byte-series.ts';
import type { RecordedVisit } from '../../record/run-record.ts';
import type { RoundTraffic } from '../../record/round-traffic.ts';
import { EstimateSchema, estimateMean } from '../estimate.ts';

/** For how long the bytes of each user kept the link busy while one waited for it. */
const UserDelaysSchema = z.object({
  userAgent: z.string(),
  /** By whose bytes, ms per Visit; in the order of the User Agents, the user among them. */
  by: z.array(z.object({ userAgent: z.string(), estimate: EstimateSchema })),
});

export const DelaysComparisonSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('measured'),
    scenarios: z.array(
      z.object({
        scenario: z.string(),
        /** Of the link to the users. */
        rateKbps: z.number(),
        roundsCounted: z.number().int(),
        users: z.array(UserDelaysSchema),
      }),
    ),
  }),
  z.object({ kind: z.literal('absent'), reason: z.string() }),
]);
export type DelaysComparison = z.infer<typeof DelaysComparisonSchema>;

interface DelaysDesign {
  scenarios: string[];
  userAgents: string[];
  confidence: number;
  /** Of the link to the users in kb/s, by Scenario; null where it has no one rate. */
  rates: ReadonlyMap<string, number | null>;
}

/**
 * Who delays whom: a matrix users × users of the time per Visit that the bytes of one kept the link to the users busy while the other waited for an answer or a free connection.
 * From the Captures of all User Agents and the rate of the link. Bytes are known in bins of 100 ms, and spread evenly within one.
 */
export function compareDelays(
  rounds: readonly RoundTraffic[],
  visits: readonly RecordedVisit[],
  { scenarios, userAgents, confidence, rates }: DelaysDesign,
): DelaysComparison {
  if (userAgents.length < 2) return { kind: 'absent', reason: 'Delaying each other needs at least two User Agents.' };
  const ofRound = Map.groupBy(visits, keyOf);
  const compared = scenarios.flatMap((scenario) => {
    const rateKbps = rates.get(scenario) ?? null;
    if (rateKbps === null) return [];
    const counted = rounds
      .filter((round) => round.scenario === scenario && round.users.length === userAgents.length && !round.hasDrops)
      .map((round) => measureRound(round, ofRound.get(keyOf(round)) ?? [], rateKbps));
    const users = userAgents.map((userAgent) => ({
      userAgent,
      by: userAgents.flatMap((other) => {
        const values = counted.flatMap((delays) => delays.get(userAgent)?.get(other) ?? []);
        const estimate = estimateMean(values, confidence);
        return estimate ? [{ userAgent: other, estimate }] : [];
      }),
    }));
    return users.some(({ by }) => by.length > 0) ? [{ scenario, rateKbps, roundsCounted: counted.length, users }] : [];
  });
  if (compared.length > 0) return { kind: 'measured', scenarios: compared };
  return {
    kind: 'absent',
    reason:
      'No counted Round has an emulated link of one rate, the packets of every User Agent, and Visits that show what they waited for.',
  };
}

function keyOf({ block, scenario }: { block: number; scenario: string }): string {
  return `${block} ${scenario}`;
}

/** ms per Visit of each user, by the bytes of each. */
function measureRound(
  { users }: RoundTraffic,
  visits: readonly RecordedVisit[],
  rateKbps: number,
): Map<string, Map<string, number>> {
  const byUser = Map.groupBy(
    visits.filter(({ isExcluded, isFailed, networkWaits }) => !isExcluded && !isFailed && networkWaits),
    ({ userAgent }) => userAgent,
  );
  return new Map(
    [...byUser].map(([userAgent, own]) => [
      userAgent,
      new Map(
        users.map((other) => [
          other.userAgent,
          own.reduce(
            (sum, { networkWaits }) => sum + busyMs(other.received, { ...other, waits: networkWaits!, rateKbps }),
            0,
          ) / own.length,
        ]),
      ),
    ]),
  );
}

/** How long these bytes kept the link busy within the waits. Both are sorted by time. */
function busyMs(
  { binMs, bins, bytes }: ByteSeries,
  { clockOffsetMs, waits, rateKbps }: { clockOffsetMs: number; waits: readonly number[]; rateKbps: number },
): number {
  let busy = 0;
  for (let place = 0; place + 1 < waits.length; place += 2) {
    const from = waits[place]! - clockOffsetMs;
    const to = waits[place + 1]! - clockOffsetMs;
    for (let index = firstAtLeast(bins, Math.floor(from / binMs)); index < bins.length; index++) {
      const start = bins[index]! * binMs;
      if (start >= to) break;
      const overlap = Math.min(to, start + binMs) - Math.max(from, start);
      if (overlap > 0) busy += ((overlap / binMs) * bytes[index]! * 8) / rateKbps;
    }
  }
  return busy;
}

function firstAtLeast(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
