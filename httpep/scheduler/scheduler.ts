import type { Flow } from './flow.ts';
import { LeastServiceFirst, type Discipline, UserFlows } from './least-service-first.ts';
import { ServiceClock } from './service-clock.ts';
import { Turns } from './turns.ts';

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
    this.#leftBytes.set(flow.user, this.#leftBytes.get(flow.user)! - bytes);
  }

  /** To the end of the ring, which the loop of `next` reaches again. */
  #endTurn(user: string, flows: UserFlows): void {
    this.#ring.delete(user);
    this.#ring.set(user, flows);
    this.#leftBytes.set(user, this.#leftBytes.get(user)! + quantumBytes);
  }
}
