/** A clock that steps, or a process that stood still, by more than this is no ordinary delay. */
const stepMs = 1_000;

/**
 * When packets came, on this process's monotonic clock. The kernel stamps each packet as it comes, by the wall clock; the
 * smallest difference ever seen between that and the time at which it was read is the offset of the two clocks (and the 20 µs or so
 * that reading takes at the least). So a packet that waited to be read, because the process had no CPU, is not late by that.
 */
export class ArrivalClock {
  #offsetMs = Infinity;

  /** When the packet that is read at `nowMs` came. */
  arrivalMs(stampEpochMs: number, nowMs: number): number {
    const differenceMs = nowMs - stampEpochMs;
    // The wall clock was set back when the difference has grown by so much that no reader is that late.
    if (differenceMs < this.#offsetMs || differenceMs > this.#offsetMs + stepMs) this.#offsetMs = differenceMs;
    return Math.min(nowMs, stampEpochMs + this.#offsetMs);
  }
}
