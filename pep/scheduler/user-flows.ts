import { compareFlows } from './compare-flows.ts';
import type { Flow } from './flow.ts';

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
