/** How many of the last round trips count. */
const keptCount = 8;
/** After so long without a byte, the ground end is asked for one. */
export const askMs = 500;
/** With round trips up to 0.6 s, browsers get their answer within 2 s. */
const leastMs = 1700;
/** A longer round trip was no queue: the link was cut meanwhile. */
const longestMs = 4000;

/**
 * How long the other end may be silent until it is taken for lost: the time until it is asked, and twice the longest of the last round
 * trips. A queue that others fill in the link makes these longer, and the limit with them.
 */
export class SilenceLimit {
  #roundTripsMs: number[] = [];

  get ms(): number {
    return Math.max(leastMs, askMs + 2 * Math.max(0, ...this.#roundTripsMs));
  }

  add(roundTripMs: number): void {
    if (roundTripMs > longestMs) return;
    this.#roundTripsMs = [...this.#roundTripsMs, roundTripMs].slice(-keptCount);
  }
}
