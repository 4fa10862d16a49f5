import type { RunContext } from './run-context.ts';

const lookAgainMs = 2_000;

/** Sees each commit of what Agents upload from the moment it is made, also one that falls between a look at the database and the wait for the next commit. */
export class UploadWatch implements Disposable {
  readonly #context: Pick<RunContext, 'uploads' | 'signal'>;
  readonly #wake = () => this.#arrival.resolve();
  #arrival = Promise.withResolvers<void>();

  constructor(context: Pick<RunContext, 'uploads' | 'signal'>) {
    this.#context = context;
    context.uploads.on('stored', this.#wake);
    context.signal.addEventListener('abort', this.#wake);
  }

  /** Resolves at the first commit since the call before, or after two seconds, or when aborted. */
  async next(): Promise<void> {
    const timer = setTimeout(this.#wake, lookAgainMs);
    await this.#arrival.promise;
    clearTimeout(timer);
    this.#arrival = Promise.withResolvers();
  }

  [Symbol.dispose](): void {
    this.#context.uploads.off('stored', this.#wake);
    this.#context.signal.removeEventListener('abort', this.#wake);
  }
}
