import type { Flow } from './flow.ts';

/** How much of an answer is sent while others of the user wait that are as urgent, in bytes. Most objects of pages are shorter. */
export const spellBytes = 65_536;

/**
 * The flows of one user that wait, the next to send first: by rank, then by arrival. One that had a spell lets those of its rank pass that
 * had fewer, so that no download holds up what its user asks for later.
 */
export class UserFlows {
  readonly #flows: Flow[] = [];
  /** What each had; at least as much as those that waited when it began to wait. */
  readonly #hadBytes = new WeakMap<Flow, number>();

  get isEmpty(): boolean {
    return this.#flows.length === 0;
  }

  get first(): Flow {
    return this.#flows[0]!;
  }

  add(flow: Flow): void {
    const next = this.#flows.find(({ rank }) => rank === flow.rank);
    const leastBytes = next ? this.#countSpells(next) * spellBytes : 0;
    this.#hadBytes.set(flow, Math.max(leastBytes, this.#hadBytes.get(flow) ?? 0));
    this.#place(flow);
  }

  remove(flow: Flow): void {
    this.#flows.splice(this.#flows.indexOf(flow), 1);
  }

  /** Accounts for what was sent of a flow that waits still. */
  charge(flow: Flow, bytes: number): void {
    const before = this.#countSpells(flow);
    this.#hadBytes.set(flow, this.#hadBytes.get(flow)! + bytes);
    if (this.#countSpells(flow) === before) return;
    this.remove(flow);
    this.#place(flow);
  }

  #place(flow: Flow): void {
    const place = this.#flows.findIndex((other) => this.#compare(flow, other) < 0);
    this.#flows.splice(place === -1 ? this.#flows.length : place, 0, flow);
  }

  #compare(one: Flow, other: Flow): number {
    return one.rank - other.rank || this.#countSpells(one) - this.#countSpells(other) || one.order - other.order;
  }

  #countSpells(flow: Flow): number {
    return Math.floor(this.#hadBytes.get(flow)! / spellBytes);
  }
}

/** How far a user that was away may be behind the others, in bytes: about what can already be on the way for them. */
export const creditBytes = 60_000;

/** The user that had the least service so far is next. One that comes late is owed at most `creditBytes`. */
export class LeastServiceFirst implements Discipline {
  readonly #clock = new ServiceClock(creditBytes);
  readonly #users = new Map<string, UserFlows>();

  add(flow: Flow): void {
    let flows = this.#users.get(flow.user);
    if (!flows) {
      flows = new UserFlows();
      this.#users.set(flow.user, flows);
      this.#clock.begin(flow.user);
    }
    flows.add(flow);
  }

  remove(flow: Flow): void {
    const flows = this.#users.get(flow.user)!;
    flows.remove(flow);
    if (!flows.isEmpty) return;
    this.#users.delete(flow.user);
    this.#clock.end(flow.user);
  }

  next(): Flow | null {
    const user = this.#clock.next();
    return user === null ? null : this.#users.get(user)!.first;
  }

  charge(flow: Flow, bytes: number): void {
    this.#users.get(flow.user)!.charge(flow, bytes);
    this.#clock.charge(flow.user, bytes);
  }
}

/** Which of the flows that have bytes waiting sends next. */
export interface Discipline {
  /** The flow has bytes waiting from now on. It was not waiting before. */
  add(flow: Flow): void;
  /** The flow has none any more. It was waiting before. */
  remove(flow: Flow): void;
  /** The flow to send a chunk of; null when none waits. Without `charge`, it stays the same one. */
  next(): Flow | null;
  /** Accounts for a chunk of the flow that `next` named. It is still waiting. */
  charge(flow: Flow, bytes: number): void;
}

interface Account {
  /** Service per weight when it began to wait. */
  start: number;
  /** Service per weight since. */
  service: number;
}

/**
 * Start-time fair queueing (Goyal, Vin, Cheng 1996) of parties that share a line by weight: the one that had the least service so far,
 * divided by its weight, is next. A party that comes late is owed at most `creditBytes` of what another had while it waited.
 */
export class ServiceClock {
  readonly #creditBytes: number;
  readonly #waiting = new Map<string, Account>();
  /** Service per weight of those that rest. */
  readonly #resting = new Map<string, number>();

  constructor(creditBytes: number) {
    this.#creditBytes = creditBytes;
  }

  begin(party: string): void {
    const least = this.next();
    const earliest = least === null ? 0 : this.#earliestBeside(this.#waiting.get(least)!);
    const start = Math.max(earliest, this.#resting.get(party) ?? earliest);
    this.#waiting.set(party, { start, service: start });
    this.#resting.delete(party);
    for (const [name, service] of this.#resting) if (service <= earliest) this.#resting.delete(name);
  }

  end(party: string): void {
    this.#resting.set(party, this.#waiting.get(party)!.service);
    this.#waiting.delete(party);
    if (this.#waiting.size === 0) this.#resting.clear();
  }

  /** Of those that wait and that `may` be next; null when there is none. */
  next(may: (party: string) => boolean = () => true): string | null {
    let best: string | null = null;
    let least = Infinity;
    for (const [party, { service }] of this.#waiting) {
      if (service >= least || !may(party)) continue;
      best = party;
      least = service;
    }
    return best;
  }

  /** Service per weight of a party that waits. */
  serviceOf(party: string): number {
    return this.#waiting.get(party)!.service;
  }

  charge(party: string, bytesPerWeight: number): void {
    this.#waiting.get(party)!.service += bytesPerWeight;
  }

  #earliestBeside({ start, service }: Account): number {
    return Math.max(start, service - this.#creditBytes);
  }
}
