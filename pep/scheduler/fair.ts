import type { Discipline } from './discipline.ts';
import type { Flow } from './flow.ts';
import { UserFlows } from './user-flows.ts';

/** What a user may send in its turn, in bytes: two segments. */
export const quantumBytes = 3000;

/**
 * Deficit round robin over users (Shreedhar and Varghese 1995): each may send a quantum in its turn. What the last chunk was too
 * long is taken from the user's next turn.
 */
export class Fair implements Discipline {
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
