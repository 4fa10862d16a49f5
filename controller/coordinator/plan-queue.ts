import type { AwaitedRun, Meeting } from '../../core/protocol/meeting.ts';

const rule: Meeting = { kind: 'rule', names: [] };

/**
 * For each Run that waits, in the order in which they were started: the Runs that it waits for, those under way first. It waits for each that it meets,
 * also for an earlier one that waits itself: so none is overtaken by what it meets, and each has its turn. An earlier one that is not ready holds up
 * nobody, or a host that never comes would.
 */
export function planQueue(
  runs: readonly QueuedRun[],
  { oneAtATime }: { oneAtATime: boolean },
): Map<string, AwaitedRun[]> {
  const before = runs.filter(({ isUnderWay }) => isUnderWay);
  const plan = new Map<string, AwaitedRun[]>();
  for (const run of runs) {
    if (run.isUnderWay) continue;
    plan.set(
      run.id,
      before.flatMap((earlier) => {
        const meeting = oneAtATime ? rule : findMeeting(run, earlier);
        if (!meeting) return [];
        const { id: runId, name: evaluationName, isPaused = false } = earlier;
        return [{ ...meeting, runId, evaluationName, ...(isPaused && { isPaused }) }];
      }),
    );
    if (run.isReady) before.push(run);
  }
  return plan;
}

type Met = Pick<QueuedRun, 'places' | 'shared'>;

/**
 * Why two Runs may not be measured at the same time; null where they may. They may not where they share an Agent, a machine, a declared resource or an
 * origin, nor where it is not known whether they do.
 */
export function findMeeting(one: Met, other: Met): Meeting | null {
  if (!one.places || !other.places) return { kind: 'unknown', names: [] };
  const agents = new Set(other.places.map(({ agent }) => agent));
  const hosts = one.places.flatMap(({ agent }) => (agents.has(agent) ? [agent] : []));
  if (hosts.length > 0) return { kind: 'host', names: hosts };
  const pair = findNeighbours(one.places, other.places);
  if (pair) return pair;
  return findShared(one, other);
}

/** Two Agents that are, or may be, on one machine. */
function findNeighbours(own: readonly AgentPlace[], others: readonly AgentPlace[]): Meeting | null {
  const machines = new Map(others.map((place) => [place.machine, place.agent]));
  for (const { machine, agent } of own)
    if (machine !== null && machines.has(machine)) return { kind: 'machine', names: [agent, machines.get(machine)!] };
  return findPossible(own, others) ?? findPossible(others, own);
}

/** An Agent that does not know its machine may be on that of any Agent whose line comes from the same address, or from none that is known. */
function findPossible(own: readonly AgentPlace[], others: readonly AgentPlace[]): Meeting | null {
  const unknown = own.filter(({ machine }) => machine === null);
  if (unknown.length === 0) return null;
  const lost = unknown.find(({ address }) => address === null);
  if (lost) return { kind: 'unknown', names: [lost.agent] };
  for (const { agent, address } of others) {
    const near = unknown.find((place) => address === null || place.address === address);
    if (near) return { kind: 'machine', names: [near.agent, agent] };
  }
  return null;
}

function findShared(one: Met, other: Met): Meeting | null {
  const others = new Set(other.shared);
  const both = one.shared.filter((name) => others.has(name) && !(isLocal(name, one) && isLocal(name, other)));
  const resources = namesOf('resource', both);
  if (resources.length > 0) return { kind: 'resource', names: resources };
  const origins = namesOf('origin', both);
  return origins.length > 0 ? { kind: 'origin', names: origins } : null;
}

const namesOf = (kind: string, shared: readonly string[]) =>
  shared.flatMap((name) => (name.startsWith(`${kind}:`) ? [name.slice(kind.length + 1)] : []));

/** Whether it is the origin beside an Agent of a Run that is on one machine. Testbeds of two machines give theirs the same address. */
function isLocal(name: string, { places }: Met): boolean {
  const machine = places?.[0]?.machine ?? null;
  return (
    machine !== null &&
    places!.every((place) => place.machine === machine) &&
    places!.some(({ originHost }) => originHost !== null && name === `origin:${originHost}`)
  );
}

/** Where an Agent of a Run is, as far as it is known. */
export interface AgentPlace {
  agent: string;
  /** The kernel that it runs on, containers included; null where it cannot know, such as an extension. */
  machine: string | null;
  /** Where its line comes from; null on loopback, and before its first line. */
  address: string | null;
  /** The host of the origin that was started beside it; null where there is none. */
  originHost: string | null;
}

/** An open Run, with all that it may share with another. */
export interface QueuedRun {
  id: string;
  name: string;
  isUnderWay: boolean;
  /** It is not when left out. */
  isPaused?: boolean;
  /** Whether it could begin if it had not to wait for others: its Agents were connected once. */
  isReady: boolean;
  /** Null where that was not kept. */
  places: readonly AgentPlace[] | null;
  /** As `listShared` gives it. */
  shared: readonly string[];
}
