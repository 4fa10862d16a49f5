import type { Flow } from './flow.ts';
import { ServiceClock } from './service-clock.ts';

/** The flows of one user that wait, the next to send first. */
export class UserFlows {
  readonly #flows: Flow[] = [];

  get isEmpty(): boolean {
    return this.#flows.length === 0;
  }

  get first(): Flow {
    return this.#flows[0]!;
  }

  add(flow: Flow): void {
    const place = this.#flows.findIndex((other) => compareFlows(flow, other) < 0);
    this.#flows.splice(place === -1 ? this.#flows.length : place, 0, flow);
  }

  remove(flow: Flow): void {
    this.#flows.splice(this.#flows.indexOf(flow), 1);
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

/** The order of one user's flows: by rank, then by arrival. */
function compareFlows(one: Flow, other: Flow): number {
  return one.rank - other.rank || one.order - other.order;
}
