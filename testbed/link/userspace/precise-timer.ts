/** Timers of the event loop are of whole milliseconds and come up to two late. */
const coarseMs = 2.5;
/** How long the event loop is held at a time: packets are read in between. */
const holdMs = 0.5;

/**
 * Calls back at a time, to within the precision of the kernel's timers (about 0.1 ms) and not the event loop's: far from that
 * time the process sleeps in the event loop; the last two milliseconds it sleeps on a futex (`Atomics.wait` takes fractions
 * of a millisecond) in short turns, and uses no CPU in either.
 */
export class PreciseTimer {
  /** Those that have a time: who waits for its own must not hold the event loop beyond another's. */
  static readonly #pending = new Set<PreciseTimer>();
  readonly #callback: () => void;
  readonly #clock: () => number;
  readonly #nobody = new Int32Array(new SharedArrayBuffer(4));
  #dueMs = Infinity;
  #timeout: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;

  /** `clock` is that of `performance.now()` unless the test holds another. */
  constructor(callback: () => void, clock = () => performance.now()) {
    this.#callback = callback;
    this.#clock = clock;
  }

  /** Sets the only time at which it calls back, on its clock; Infinity for none. */
  set(dueMs: number): void {
    if (dueMs === this.#dueMs) return;
    this.#dueMs = dueMs;
    this.#clear();
    if (dueMs === Infinity) PreciseTimer.#pending.delete(this);
    else PreciseTimer.#pending.add(this);
    this.#approach();
  }

  #clear(): void {
    clearTimeout(this.#timeout);
    clearImmediate(this.#immediate);
    this.#timeout = undefined;
    this.#immediate = undefined;
  }

  #approach(): void {
    const waitMs = this.#dueMs - this.#clock();
    if (waitMs === Infinity) return;
    if (waitMs > coarseMs) {
      this.#timeout = setTimeout(
        () => this.#approach(),
        Math.min(2 ** 31 - 1, Math.max(1, Math.floor(waitMs - coarseMs))),
      );
    } else {
      this.#immediate = setImmediate(() => this.#wait());
    }
  }

  #wait(): void {
    const firstDueMs = Math.min(...Array.from(PreciseTimer.#pending, (timer) => timer.#dueMs));
    const waitMs = firstDueMs - this.#clock();
    if (waitMs > 0) Atomics.wait(this.#nobody, 0, 0, Math.min(waitMs, holdMs));
    if (this.#clock() < this.#dueMs) {
      this.#immediate = setImmediate(() => this.#wait());
      return;
    }
    this.#dueMs = Infinity;
    PreciseTimer.#pending.delete(this);
    this.#callback();
  }
}
