import type { Logger } from 'pino';

const windowMs = 60_000;
const mostPerWindow = 20;

/** Logs refused lines: anybody who reaches the port can cause them, so that a minute has at most twenty, and the number of the others. */
export class RefusalLog implements Disposable {
  readonly #log: Logger;
  #count = 0;
  #window: NodeJS.Timeout | null = null;

  constructor(log: Logger) {
    this.#log = log;
  }

  warn(details: object, message: string): void {
    this.#window ??= setTimeout(() => this.#endWindow(), windowMs).unref();
    if (++this.#count <= mostPerWindow) this.#log.warn(details, message);
  }

  [Symbol.dispose](): void {
    if (this.#window === null) return;
    clearTimeout(this.#window);
    this.#endWindow();
  }

  #endWindow(): void {
    if (this.#count > mostPerWindow)
      this.#log.warn({ count: this.#count - mostPerWindow }, 'More connections were refused in this minute');
    this.#count = 0;
    this.#window = null;
  }
}
