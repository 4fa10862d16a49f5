const tickMs = 1_000;

/**
 * Calls `onSilence` when nothing was heard for so long. It counts seconds in which this process ran: one that stood still itself finds what came
 * meanwhile, before it takes the other end for dead.
 */
export class SilenceWatch implements Disposable {
  readonly #ticking: NodeJS.Timeout;
  #silentTicks = 0;

  constructor(limitMs: number, onSilence: () => void) {
    const limitTicks = Math.ceil(limitMs / tickMs);
    this.#ticking = setInterval(() => {
      if (++this.#silentTicks === limitTicks) onSilence();
    }, tickMs);
  }

  hear(): void {
    this.#silentTicks = 0;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#ticking);
  }
}
