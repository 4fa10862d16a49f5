import type { Discipline } from './discipline.ts';
import type { Flow } from './flow.ts';

/** Flow after flow, a chunk each. A user with more flows gets more. */
export class RoundRobin implements Discipline {
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
