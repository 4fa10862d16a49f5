import { z } from 'zod';
import { causeIds, type CauseId } from '../../causes/causes.ts';
import { readPath } from '../../causes/packed-path.ts';
import { linkCapacityKbps } from '../../evaluation/network/network.ts';
import type { Scenario } from '../../evaluation/scenarios/scenario.ts';
import { firstAtLeast } from '../../packets/measures/byte-series.ts';
import type { RoundTraffic, UserTraffic } from '../../record/round-traffic.ts';
import type { RecordedVisit } from '../../record/run-record.ts';
import { EstimateSchema, estimateMean } from '../estimate.ts';

/** For how long the bytes of each user kept the link busy while one waited for it. */
const UserDelaysSchema = z.object({
  userAgent: z.string(),
  /** By whose bytes, ms per Visit; in the order of the User Agents, the user among them. */
  by: z.array(z.object({ userAgent: z.string(), estimate: EstimateSchema })),
});

/** What the link to the users did during the critical paths of a Scenario, ms per Visit. The parts sum to the mean total latency of these Visits. */
const LinkUseSchema = z.object({
  /** Busy with the bytes of the user who waited. */
  own: EstimateSchema,
  /** Busy with those of other users. */
  others: EstimateSchema,
  /** Idle while a lost segment of the user who waited was on its way again. Null where a Capture does not say, and where nothing shows when the link was idle. */
  repairs: EstimateSchema.nullable(),
  /** Idle otherwise, by what the path waited for; without causes that it never waited for. Null where background load crosses the link, which no Capture of a User Agent has. */
  idle: z.array(z.object({ cause: z.enum(causeIds), estimate: EstimateSchema })).nullable(),
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
        link: LinkUseSchema,
      }),
    ),
  }),
  z.object({ kind: z.literal('absent'), reason: z.string() }),
]);
export type DelaysComparison = z.infer<typeof DelaysComparisonSchema>;

interface DelaysDesign {
  scenarios: string[];
  userAgents: string[];
  /** Those that take part in each Scenario; all unless given. */
  usersOf?: ReadonlyMap<string, readonly string[]>;
  confidence: number;
  /** The link to the users, by Scenario; null where what they receive does not show how busy it is. */
  links: ReadonlyMap<string, { rateKbps: number; hasBackground: boolean } | null>;
}

/** The link whose use the Captures of its users show: one that has one rate. The users of HTTPEP or of a tunnel receive other bytes than cross it. */
export function describeUsedLink({
  network,
  httpep,
}: Pick<Scenario, 'network' | 'httpep'>): { rateKbps: number; hasBackground: boolean } | null {
  const rateKbps = httpep || network?.tunnel ? null : linkCapacityKbps(network, 'received');
  return rateKbps === null ? null : { rateKbps, hasBackground: (network?.background ?? []).length > 0 };
}

/** Of more, the matrix has too many fields to read, and takes too long to compute. */
export const mostDelayingUsers = 50;

/** On the path these may be longer because of what others do on the same link. */
const ofNetwork: ReadonlySet<CauseId> = new Set(['queue', 'server', 'receive']);
/** No loss of TCP can make these longer. */
const withoutTcp: ReadonlySet<CauseId> = new Set(['start', 'dns', 'browser']);

/**
 * What the link did while users waited: busy with the bytes of the one who waited, busy with those of others, or idle, and for what reason, repairs of losses among them. And who delays whom: a matrix users × users of the time per Visit
 * that the bytes of one kept it busy while the other waited for an answer or a free connection.
 * From the Captures of all User Agents and the rate of the link. Bytes are known in bins of 100 ms, and spread evenly within one.
 */
export function compareDelays(
  rounds: readonly RoundTraffic[],
  visits: readonly RecordedVisit[],
  { scenarios, userAgents, usersOf, confidence, links }: DelaysDesign,
): DelaysComparison {
  if (userAgents.length > mostDelayingUsers)
    return { kind: 'absent', reason: `This is computed for at most ${mostDelayingUsers} User Agents.` };
  const ofRound = Map.groupBy(
    visits.filter(({ isExcluded, isFailed, criticalPath }) => !isExcluded && !isFailed && criticalPath),
    keyOf,
  );
  const compared = scenarios.flatMap((scenario) => {
    const link = links.get(scenario);
    if (!link) return [];
    const { rateKbps } = link;
    const present = usersOf?.get(scenario) ?? userAgents;
    const captured = rounds.filter(
      (round) => round.scenario === scenario && round.users.length === present.length && !round.hasDrops,
    );
    const areRepairsKnown = captured.every(({ users }) => users.every(({ repairs }) => repairs !== null));
    const counted = captured.flatMap(
      (round) => measureRound(round, ofRound.get(keyOf(round)) ?? [], { rateKbps, areRepairsKnown }) ?? [],
    );
    if (counted.length === 0) return [];
    const meanOf = (read: (round: MeasuredRound) => number) => estimateMean(counted.map(read), confidence)!;
    const users = present.map((userAgent) => ({
      userAgent,
      by: present.flatMap((other) => {
        const values = counted.flatMap(({ delays }) => delays.get(userAgent)?.get(other) ?? []);
        const estimate = estimateMean(values, confidence);
        return estimate ? [{ userAgent: other, estimate }] : [];
      }),
    }));
    const idle = causeIds
      .map((cause, place) => ({ cause, estimate: meanOf((round) => round.idle[place]!) }))
      .filter(({ estimate }) => estimate.mean > 0);
    const use = {
      own: meanOf(({ own }) => own),
      others: meanOf(({ others }) => others),
      repairs: areRepairsKnown && !link.hasBackground ? meanOf(({ repairs }) => repairs) : null,
      idle: link.hasBackground ? null : idle,
    };
    return [{ scenario, rateKbps, roundsCounted: counted.length, users, link: use }];
  });
  if (compared.length > 0) return { kind: 'measured', scenarios: compared };
  return {
    kind: 'absent',
    reason:
      'No counted Round has a link of one rate without HTTPEP or a tunnel, all users’ packets, and Visits that show what they waited for.',
  };
}

function keyOf({ block, scenario }: { block: number; scenario: string }): string {
  return `${block} ${scenario}`;
}

/** ms per Visit. */
interface MeasuredRound {
  own: number;
  others: number;
  /** 0 where they are not known. */
  repairs: number;
  /** In the order of causes. */
  idle: number[];
  /** Of each user, by the bytes of each. */
  delays: Map<string, Map<string, number>>;
}

/** Null without a Visit. */
function measureRound(
  { users }: RoundTraffic,
  visits: readonly RecordedVisit[],
  { rateKbps, areRepairsKnown }: { rateKbps: number; areRepairsKnown: boolean },
): MeasuredRound | null {
  if (visits.length === 0) return null;
  const round: MeasuredRound = {
    own: 0,
    others: 0,
    repairs: 0,
    idle: causeIds.map(() => 0),
    delays: new Map(),
  };
  for (const [userAgent, own] of Map.groupBy(visits, (visit) => visit.userAgent)) {
    const delays = new Map(users.map((other) => [other.userAgent, 0]));
    round.delays.set(userAgent, delays);
    const waiting = users.find((user) => user.userAgent === userAgent);
    for (const { criticalPath } of own)
      for (const { cause, startMs, endMs } of readPath(criticalPath!)) {
        const lengthMs = endMs - startMs;
        const busy = users.map((user) => busyMs(user, { startMs, endMs, rateKbps }));
        const busyTotal = busy.reduce((sum, ms) => sum + ms, 0);
        // Bytes of one bin may be at its other end: no link is busy for longer than the time there is.
        const share = busyTotal > lengthMs ? lengthMs / busyTotal : 1;
        const idleMs = lengthMs - busyTotal * share;
        const repairedMs =
          areRepairsKnown && waiting && !withoutTcp.has(cause)
            ? Math.min(idleMs, repairMs(waiting, { startMs, endMs, rateKbps, users }))
            : 0;
        round.repairs += repairedMs / visits.length;
        round.idle[causeIds.indexOf(cause)]! += (idleMs - repairedMs) / visits.length;
        users.forEach((user, place) => {
          const ms = busy[place]! * share;
          round[user.userAgent === userAgent ? 'own' : 'others'] += ms / visits.length;
          if (ofNetwork.has(cause)) delays.set(user.userAgent, delays.get(user.userAgent)! + ms / own.length);
        });
      }
  }
  return round;
}

interface Stretch {
  startMs: number;
  endMs: number;
  rateKbps: number;
}

/** How long the link was idle, within a stretch of time, while a loss of this user was repaired. */
function repairMs(
  { repairs, clockOffsetMs }: UserTraffic,
  { startMs, endMs, rateKbps, users }: Stretch & { users: readonly UserTraffic[] },
): number {
  let idle = 0;
  for (const [start, end] of repairs!) {
    if (start + clockOffsetMs >= endMs) break;
    const part = {
      startMs: Math.max(startMs, start + clockOffsetMs),
      endMs: Math.min(endMs, end + clockOffsetMs),
      rateKbps,
    };
    if (part.startMs >= part.endMs) continue;
    const busy = users.reduce((sum, user) => sum + busyMs(user, part), 0);
    idle += Math.max(0, part.endMs - part.startMs - busy);
  }
  return idle;
}

/** How long what a user received in a stretch of time kept the link busy. */
function busyMs(
  { received: { binMs, bins, bytes }, clockOffsetMs }: UserTraffic,
  { startMs, endMs, rateKbps }: Stretch,
): number {
  const [from, to] = [startMs - clockOffsetMs, endMs - clockOffsetMs];
  let busy = 0;
  for (let index = firstAtLeast(bins, Math.floor(from / binMs)); index < bins.length; index++) {
    const start = bins[index]! * binMs;
    if (start >= to) break;
    const overlap = Math.min(to, start + binMs) - Math.max(from, start);
    if (overlap > 0) busy += ((overlap / binMs) * bytes[index]! * 8) / rateKbps;
  }
  return busy;
}
