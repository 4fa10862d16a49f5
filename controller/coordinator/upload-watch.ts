import { actAfter } from '#core/clock/time.ts';
import type { Arrival } from '../ingest/upload-events.ts';
import type { RunContext } from './run-context.ts';

const lookAgainMs = 2_000;

/** Sees each commit of what Agents upload from the moment it is made, also one that falls between a look at the database and the wait for the next commit. */
export class UploadWatch implements Disposable {
  readonly #context: Pick<RunContext, 'uploads' | 'signal' | 'time'>;
  readonly #wake = () => this.#arrival.resolve();
  readonly #note = (arrival: Arrival) => {
    this.#noted.push(arrival);
    this.#wake();
  };
  #noted: Arrival[] = [];
  #arrival = Promise.withResolvers<void>();

  constructor(context: Pick<RunContext, 'uploads' | 'signal' | 'time'>) {
    this.#context = context;
    context.uploads.on('stored', this.#note);
    context.signal.addEventListener('abort', this.#wake);
  }

  /** Resolves at the first commit since the call before, or after two seconds, or when aborted. */
  next(): Promise<void> {
    return this.#until(() => true);
  }

  /** Call it before each look at the database: commits from now on may be missing there. */
  beginLook(): void {
    this.#noted = [];
  }

  /**
   * Resolves when since the last look that many Visits of each Pass were stored, or one was refused; or after two seconds, or when aborted. A Visit that was stored twice counts
   * twice, and what another Controller stored may not be known yet: only the database shows what is there.
   */
  untilStored(missing: ReadonlyMap<string, number>): Promise<void> {
    const left = new Map(missing);
    return this.#until((arrivals) => {
      for (const { passIds } of arrivals)
        for (const passId of passIds) {
          const before = left.get(passId) ?? 0;
          if (before > 1) left.set(passId, before - 1);
          else left.delete(passId);
        }
      return left.size === 0 || arrivals.some(({ isRefused }) => isRefused);
    });
  }

  [Symbol.dispose](): void {
    this.#context.uploads.off('stored', this.#note);
    this.#context.signal.removeEventListener('abort', this.#wake);
  }

  async #until(isEnough: (arrivals: readonly Arrival[]) => boolean): Promise<void> {
    const { signal, time } = this.#context;
    const over = new AbortController();
    let isLate = false;
    const wakeLate = () => {
      isLate = true;
      this.#wake();
    };
    actAfter(lookAgainMs, wakeLate, { sleep: time.sleep, signal: over.signal });
    let isOver = false;
    while (!isOver) {
      await this.#arrival.promise;
      this.#arrival = Promise.withResolvers();
      isOver = isEnough(this.#noted) || isLate || signal.aborted;
      this.#noted = [];
    }
    over.abort();
  }
}
