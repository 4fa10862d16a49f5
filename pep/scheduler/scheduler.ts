import { Fair } from './fair.ts';
import { Fifo } from './fifo.ts';
import type { Discipline } from './discipline.ts';
import type { Flow } from './flow.ts';
import { LeastServiceFirst } from './least-service-first.ts';
import { RoundRobin } from './round-robin.ts';
import { ServiceClock } from './service-clock.ts';
import { Turns } from './turns.ts';

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
