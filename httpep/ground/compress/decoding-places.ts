/** Takes turns at what few may do at a time. Who waits is served in order, or gives up. */
export class DecodingPlaces {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** A place, to be disposed of; null when the signal is aborted before there is one. */
  async take(signal: AbortSignal): Promise<Disposable | null> {
    if (signal.aborted) return null;
    if (this.#free > 0) this.#free -= 1;
    else if (!(await this.#wait(signal))) return null;
    return { [Symbol.dispose]: () => this.#release() };
  }

  /** Whether a place was left to it. */
  #wait(signal: AbortSignal): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const serve = () => {
      signal.removeEventListener('abort', giveUp);
      resolve(true);
    };
    const giveUp = () => {
      this.#waiting.delete(serve);
      resolve(false);
    };
    this.#waiting.add(serve);
    signal.addEventListener('abort', giveUp, { once: true });
    return promise;
  }

  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
