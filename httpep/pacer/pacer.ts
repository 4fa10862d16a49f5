import { countWireBytes } from './count-wire-bytes.ts';
import type { RateEstimator } from './rate-estimator.ts';

/** How late a send may be and still be made up for: timers are not exact. */
const slackMs = 4;

/**
 * Spaces what is sent so that it stays below the rate of a link. The queue then is at the sender, where it can be put in order, and not
 * at the link. `nowMs` is of one clock that never goes back.
 */
export class Pacer {
  /** Null where the rate is given. */
  readonly estimator: RateEstimator | null;
  readonly #rate: number | RateEstimator;
  readonly #share: number;
  #nextMs = -Infinity;

  /** `rate` is that of the link, in kb/s, and `share` the part of it that is used. Throws a RangeError unless both are above 0. */
  constructor(rate: number | RateEstimator, share = 1) {
    if (!(share > 0)) throw new RangeError(`A share is above 0, not ${share}`);
    if (typeof rate === 'number' && !(rate > 0)) throw new RangeError(`A rate is above 0 kb/s, not ${rate}`);
    this.#rate = rate;
    this.#share = share;
    this.estimator = typeof rate === 'number' ? null : rate;
  }

  /** Of the link, in kb/s: as given, or as estimated so far. */
  get linkKbps(): number {
    return typeof this.#rate === 'number' ? this.#rate : this.#rate.kbps;
  }

  /** How long to wait until the next send; 0 for not at all. */
  waitMs(nowMs: number): number {
    return Math.max(0, this.#nextMs - nowMs);
  }

  /** Accounts for a send of this many bytes above TCP. */
  spend(bytes: number, nowMs: number): void {
    const bytesPerMs = (this.linkKbps * this.#share * (this.estimator?.gain ?? 1)) / 8;
    this.#nextMs = Math.max(this.#nextMs, nowMs - slackMs) + countWireBytes(bytes) / bytesPerMs;
  }
}
