import { ranks, type Flow } from './flow.ts';
import { creditBytes, type Discipline, UserFlows } from './least-service-first.ts';
import { ServiceClock } from './service-clock.ts';

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
export class Turns implements Discipline {
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
    this.#users.get(flow.user)!.servedBytes += bytes;
    this.#clock.charge(flow.user, bytes);
  }
}

function needsDrawing({ flows }: User): boolean {
  return flows.first.rank < ranks.other;
}
