/** How long a value is remembered, at least; at most twice as long. */
const rememberedMs = 30_000;

/** The least of the values of the last half to whole minute in which there were some. `nowMs` is of one clock that never goes back. */
export class RecentLeast {
  #since = -Infinity;
  #before = Infinity;
  #now = Infinity;

  /** Infinity without any. */
  get value(): number {
    return Math.min(this.#before, this.#now);
  }

  note(value: number, nowMs: number): void {
    if (nowMs - this.#since > rememberedMs) {
      this.#since = nowMs;
      this.#before = this.#now;
      this.#now = value;
    } else {
      this.#now = Math.min(this.#now, value);
    }
  }

  forget(): void {
    this.#before = this.#now = Infinity;
  }
}
