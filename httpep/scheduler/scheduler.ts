import { ranks, type Flow } from './flow.ts';
import { LeastServiceFirst, UserFlows, creditBytes, ServiceClock, type Discipline } from './least-service-first.ts';

/** What a user may send in its turn, in bytes: two segments. */
export const quantumBytes = 3000;

export const schedulerNames = ['fifo', 'round-robin', 'fair', 'least-service-first', 'turns'] as const;

export type SchedulerName = (typeof schedulerNames)[number];

export interface SchedulerOptions {
  name: SchedulerName;
  /** Weight of each class of users. One that is not named has weight 1. */
  weights: Readonly<Record<string, number>>;
}

/**
 * Which flow sends next. Classes share by weight, those without anything to send left out. Within a class the discipline decides, so
 * that the users of a class share what the class has.
 */
export class Scheduler {
  readonly #name: SchedulerName;
  readonly #weights: ReadonlyMap<string, number>;
  readonly #classes = new Map<string, { discipline: Discipline; flowCount: number }>();
  readonly #clock = new ServiceClock(0);
  readonly #waiting = new Set<Flow>();

  constructor({ name, weights }: SchedulerOptions) {
    this.#name = name;
    this.#weights = new Map(Object.entries(weights));
  }

  /** The flow has bytes waiting. */
  add(flow: Flow): void {
    if (this.#waiting.has(flow)) return;
    this.#waiting.add(flow);
    let entry = this.#classes.get(flow.userClass);
    if (!entry) {
      entry = { discipline: makeDiscipline(this.#name), flowCount: 0 };
      this.#classes.set(flow.userClass, entry);
    }
    if (entry.flowCount === 0) this.#clock.begin(flow.userClass);
    entry.flowCount += 1;
    entry.discipline.add(flow);
  }

  /** The flow has no bytes waiting. */
  remove(flow: Flow): void {
    if (!this.#waiting.delete(flow)) return;
    const entry = this.#classes.get(flow.userClass)!;
    entry.discipline.remove(flow);
    entry.flowCount -= 1;
    if (entry.flowCount === 0) this.#clock.end(flow.userClass);
  }

  /** The flow to send a chunk of; null when none waits. */
  next(): Flow | null {
    const name = this.#clock.next();
    return name === null ? null : this.#classes.get(name)!.discipline.next();
  }

  /** Accounts for a chunk of the flow that `next` named. */
  charge(flow: Flow, bytes: number): void {
    this.#classes.get(flow.userClass)!.discipline.charge(flow, bytes);
    this.#clock.charge(flow.userClass, bytes / (this.#weights.get(flow.userClass) ?? 1));
  }
}

function makeDiscipline(name: SchedulerName): Discipline {
  switch (name) {
    case 'fifo':
      return new Fifo();
    case 'round-robin':
      return new RoundRobin();
    case 'fair':
      return new Fair();
    case 'least-service-first':
      return new LeastServiceFirst();
    case 'turns':
      return new Turns();
  }
}

/** In order of arrival, for all users together: what the HTTPEP papers measured. */
class Fifo implements Discipline {
  readonly #waiting = new Set<Flow>();

  add(flow: Flow): void {
    this.#waiting.add(flow);
  }

  remove(flow: Flow): void {
    this.#waiting.delete(flow);
  }

  next(): Flow | null {
    let first: Flow | null = null;
    for (const flow of this.#waiting) if (first === null || flow.order < first.order) first = flow;
    return first;
  }

  charge(): void {
    // The order does not depend on what was sent.
  }
}

/** Flow after flow, a chunk each. A user with more flows gets more. */
class RoundRobin implements Discipline {
  /** The next to send is the first. */
  readonly #ring = new Set<Flow>();

  add(flow: Flow): void {
    this.#ring.add(flow);
  }

  remove(flow: Flow): void {
    this.#ring.delete(flow);
  }

  next(): Flow | null {
    return this.#ring.values().next().value ?? null;
  }

  charge(flow: Flow): void {
    this.#ring.delete(flow);
    this.#ring.add(flow);
  }
}

/**
 * Deficit round robin over users (Shreedhar and Varghese 1995): each may send a quantum in its turn. What the last chunk was too
 * long is taken from the user's next turn.
 */
class Fair implements Discipline {
  /** Users with something to send. The first has the turn. */
  readonly #ring = new Map<string, UserFlows>();
  /** What is left of a user's turn; less than 0 where it sent too much. */
  readonly #leftBytes = new Map<string, number>();

  add(flow: Flow): void {
    let flows = this.#ring.get(flow.user);
    if (!flows) {
      flows = new UserFlows();
      this.#ring.set(flow.user, flows);
      this.#leftBytes.set(flow.user, quantumBytes + Math.min(0, this.#leftBytes.get(flow.user) ?? 0));
    }
    flows.add(flow);
  }

  remove(flow: Flow): void {
    const flows = this.#ring.get(flow.user)!;
    flows.remove(flow);
    if (!flows.isEmpty) return;
    this.#ring.delete(flow.user);
    if (this.#leftBytes.get(flow.user)! >= 0) this.#leftBytes.delete(flow.user);
    if (this.#ring.size === 0) this.#leftBytes.clear();
  }

  next(): Flow | null {
    for (const [user, flows] of this.#ring) {
      if (this.#leftBytes.get(user)! > 0) return flows.first;
      this.#endTurn(user, flows);
    }
    return null;
  }

  charge(flow: Flow, bytes: number): void {
    this.#ring.get(flow.user)!.charge(flow, bytes);
    this.#leftBytes.set(flow.user, this.#leftBytes.get(flow.user)! - bytes);
  }

  /** To the end of the ring, which the loop of `next` reaches again. */
  #endTurn(user: string, flows: UserFlows): void {
    this.#ring.delete(user);
    this.#ring.set(user, flows);
    this.#leftBytes.set(user, this.#leftBytes.get(user)! + quantumBytes);
  }
}

/** How far a user may be before another that waits, in bytes. */
export const turnBytes = 500_000;
/** What is served at once of each load, in bytes: the initial window of TCP (RFC 6928). */
export const openingBytes = 14_480;

interface User {
  flows: UserFlows;
  /** Of this load, which began when the user had nothing waiting before. */
  servedBytes: number;
}

/**
 * One user's load after another, of the user that had the least service so far. So equal loads end after (N + 1) / 2 times one load in
 * the mean, not all after N. Before, on levels of their own (Kleinrock 1976, section 4.7), come what pages need to be drawn, shared
 * alike, and then the openings of loads, one after another: none waits for another load to begin.
 */
class Turns implements Discipline {
  readonly #clock = new ServiceClock(creditBytes);
  /** In the order in which their loads began. */
  readonly #users = new Map<string, User>();
  /** Whose turn it is. */
  #holder: string | null = null;

  add(flow: Flow): void {
    let user = this.#users.get(flow.user);
    if (!user) {
      user = { flows: new UserFlows(), servedBytes: 0 };
      this.#users.set(flow.user, user);
      this.#clock.begin(flow.user);
    }
    user.flows.add(flow);
  }

  remove(flow: Flow): void {
    const { flows } = this.#users.get(flow.user)!;
    flows.remove(flow);
    if (!flows.isEmpty) return;
    this.#users.delete(flow.user);
    this.#clock.end(flow.user);
    if (this.#holder === flow.user) this.#holder = null;
  }

  next(): Flow | null {
    const least = this.#clock.next();
    if (least === null) return null;
    const most = this.#clock.serviceOf(least) + turnBytes;
    const mayLead = (name: string) => this.#clock.serviceOf(name) < most;
    const first = this.#clock.next((name) => needsDrawing(this.#users.get(name)!) && mayLead(name));
    if (first !== null) return this.#users.get(first)!.flows.first;
    for (const [name, { flows, servedBytes }] of this.#users)
      if (servedBytes < openingBytes && mayLead(name)) return flows.first;
    if (this.#holder === null || !mayLead(this.#holder)) this.#holder = least;
    return this.#users.get(this.#holder)!.flows.first;
  }

  charge(flow: Flow, bytes: number): void {
    const user = this.#users.get(flow.user)!;
    user.flows.charge(flow, bytes);
    user.servedBytes += bytes;
    this.#clock.charge(flow.user, bytes);
  }
}

function needsDrawing({ flows }: User): boolean {
  return flows.first.rank < ranks.other;
}
