import { actEvery, type Time } from '#core/clock/time.ts';

const tickMs = 1_000;

/**
 * Calls `onSilence` when nothing was heard for so long. It counts seconds in which this process ran: one that stood still itself finds what came
 * meanwhile, before it takes the other end for dead.
 */
export class SilenceWatch implements Disposable {
  readonly #end = new AbortController();
  #silentTicks = 0;

  constructor({ limitMs, onSilence, sleep }: { limitMs: number; onSilence: () => void; sleep: Time['sleep'] }) {
    const limitTicks = Math.ceil(limitMs / tickMs);
    const count = () => {
      if (++this.#silentTicks === limitTicks) onSilence();
    };
    actEvery(tickMs, count, { sleep, signal: this.#end.signal });
  }

  hear(): void {
    this.#silentTicks = 0;
  }

  [Symbol.dispose](): void {
    this.#end.abort();
  }
}
