import { readMonotonicMs } from './user-pages.ts';

const tickMs = 20;
/** A quiet machine is never so late. */
const leastMs = 80;

/** Notes how long the machine gave this process no CPU: a bound of time is longer by as much. */
export class StallWatch implements Disposable {
  readonly #stalls: { endedMs: number; ms: number }[] = [];
  readonly #timer: NodeJS.Timeout;
  #tickedMs = readMonotonicMs();

  constructor() {
    this.#timer = setInterval(() => {
      const nowMs = readMonotonicMs();
      const ms = nowMs - this.#tickedMs - tickMs;
      if (ms > leastMs) this.#stalls.push({ endedMs: nowMs, ms });
      this.#tickedMs = nowMs;
    }, tickMs);
  }

  stalledMsSince(sinceMs: number): number {
    return this.#stalls.filter(({ endedMs }) => endedMs > sinceMs).reduce((total, { ms }) => total + ms, 0);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
