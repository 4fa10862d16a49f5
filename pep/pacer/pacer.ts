import { countWireBytes } from './count-wire-bytes.ts';

/** How late a send may be and still be made up for: timers are not exact. */
const slackMs = 4;

/**
 * Spaces what is sent so that it stays below a rate. The queue then is at the sender, where it can be put in order, and not at the link.
 * `nowMs` is of one clock that never goes back.
 */
export class Pacer {
  #bytesPerMs: number;
  #nextMs = -Infinity;

  /** Throws a RangeError unless the rate is above 0. */
  constructor(rateKbps: number) {
    this.#bytesPerMs = toBytesPerMs(rateKbps);
  }

  /** From the next send on. Throws a RangeError unless the rate is above 0. */
  setRate(rateKbps: number): void {
    this.#bytesPerMs = toBytesPerMs(rateKbps);
  }

  /** How long to wait until the next send; 0 for not at all. */
  waitMs(nowMs: number): number {
    return Math.max(0, this.#nextMs - nowMs);
  }

  /** Accounts for a send of this many bytes above TCP. */
  spend(bytes: number, nowMs: number): void {
    this.#nextMs = Math.max(this.#nextMs, nowMs - slackMs) + countWireBytes(bytes) / this.#bytesPerMs;
  }
}

function toBytesPerMs(rateKbps: number): number {
  if (!(rateKbps > 0)) throw new RangeError(`A rate is above 0 kb/s, not ${rateKbps}`);
  return rateKbps / 8;
}
