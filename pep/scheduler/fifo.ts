import type { Discipline } from './discipline.ts';
import type { Flow } from './flow.ts';

/** In order of arrival, for all users together: what the HTTPEP papers measured. */
export class Fifo implements Discipline {
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
