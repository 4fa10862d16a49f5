interface Account {
  /** Service per weight when it began to wait. */
  start: number;
  /** Service per weight since. */
  service: number;
}

/**
 * Start-time fair queueing (Goyal, Vin, Cheng 1996) of parties that share a line by weight: the one that had the least service so far,
 * divided by its weight, is next. A party that comes late is owed at most `creditBytes` of what another had while it waited.
 */
export class ServiceClock {
  readonly #creditBytes: number;
  readonly #waiting = new Map<string, Account>();
  /** Service per weight of those that rest. */
  readonly #resting = new Map<string, number>();

  constructor(creditBytes: number) {
    this.#creditBytes = creditBytes;
  }

  begin(party: string): void {
    const least = this.next();
    const earliest = least === null ? 0 : this.#earliestBeside(this.#waiting.get(least)!);
    const start = Math.max(earliest, this.#resting.get(party) ?? earliest);
    this.#waiting.set(party, { start, service: start });
    this.#resting.delete(party);
    for (const [name, service] of this.#resting) if (service <= earliest) this.#resting.delete(name);
  }

  end(party: string): void {
    this.#resting.set(party, this.#waiting.get(party)!.service);
    this.#waiting.delete(party);
    if (this.#waiting.size === 0) this.#resting.clear();
  }

  /** Of those that wait and that `may` be next; null when there is none. */
  next(may: (party: string) => boolean = () => true): string | null {
    let best: string | null = null;
    let least = Infinity;
    for (const [party, { service }] of this.#waiting) {
      if (service >= least || !may(party)) continue;
      best = party;
      least = service;
    }
    return best;
  }

  /** Service per weight of a party that waits. */
  serviceOf(party: string): number {
    return this.#waiting.get(party)!.service;
  }

  charge(party: string, bytesPerWeight: number): void {
    this.#waiting.get(party)!.service += bytesPerWeight;
  }

  #earliestBeside({ start, service }: Account): number {
    return Math.max(start, service - this.#creditBytes);
  }
}
