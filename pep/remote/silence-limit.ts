/** How many of the last round trips count. */
const keptCount = 8;
/** After so long without a byte, the ground end is asked for one. */
export const askMs = 300;
/** With round trips up to 0.93 s, browsers get their answer within 2 s. */
const leastMs = 1700;
/** A longer round trip was no queue: the link was cut meanwhile. Until one is known, it may be as long as this. */
const longestMs = 4000;
/** By so much a queue may grow between two round trips. */
const growthFactor = 1.5;

/**
 * How long the other end may be silent until it is taken for lost: the time until it is asked, and 1.5 times the longest but one of the
 * last round trips. A queue that others fill in the link makes these longer, and the limit with them. The longest of all may be that of
 * a short cut. At the start none is known, and the first answer takes two: one to connect, and one to greet.
 */
export class SilenceLimit {
  #roundTripsMs: number[] = [];
  #mayBeFar = true;

  get isKnown(): boolean {
    return this.#roundTripsMs.length > 0;
  }

  get ms(): number {
    if (!this.isKnown && this.#mayBeFar) return askMs + growthFactor * longestMs;
    const [worstMs = 0, usualMs = worstMs] = this.#roundTripsMs.toSorted((a, b) => b - a);
    return Math.max(leastMs, askMs + growthFactor * usualMs);
  }

  /** A round trip during which nothing else was heard. */
  add(roundTripMs: number): void {
    if (roundTripMs > longestMs) return;
    this.#roundTripsMs = [...this.#roundTripsMs, roundTripMs].slice(-keptCount);
  }

  /** A connection was refused, broke before it was open, or took too long: it is no distance that explains the silence. */
  noteFailure(): void {
    this.#mayBeFar = false;
  }
}
