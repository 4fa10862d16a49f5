import type { Discipline } from './discipline.ts';
import type { Flow } from './flow.ts';
import { ServiceClock } from './service-clock.ts';
import { UserFlows } from './user-flows.ts';

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
