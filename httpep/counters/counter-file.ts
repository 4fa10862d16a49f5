import { open, type FileHandle } from 'node:fs/promises';
import { AppError } from '#core/app-error.ts';
import type { CounterRow, CounterSource } from './counter-help.ts';

const intervalMs = 1000;

/** Appends counters to a file, as JSON lines: what has changed, each second; at the end all; and each page once it is over. */
export class CounterFile implements AsyncDisposable {
  readonly #source: CounterSource;
  readonly #file: FileHandle;
  readonly #onNote: (text: string) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #written = new Map<string, string>();
  #lines: string[] = [];
  #writing: Promise<void> = Promise.resolve();
  #hasFailed = false;
  #hasEnded = false;

  private constructor(file: FileHandle, { source, onNote }: { source: CounterSource; onNote: (text: string) => void }) {
    this.#file = file;
    this.#source = source;
    this.#onNote = onNote;
    this.#timer = setInterval(() => void this.#source.refresh().then(() => this.#write()), intervalMs).unref();
  }

  /** Throws `invalid-input` for a file that cannot be written. */
  static async open(path: string, options: { source: CounterSource; onNote: (text: string) => void }) {
    try {
      return new CounterFile(await open(path, 'a', 0o600), options);
    } catch (error) {
      throw new AppError(
        'invalid-input',
        `${path} cannot be written (${(error as Error).message}): name a file with --counters`,
        {
          cause: error,
        },
      );
    }
  }

  addPage(page: Readonly<Record<string, string | number>>): void {
    if (!this.#hasFailed) this.#lines.push(this.#format('page', page));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#source.refresh();
    this.#write();
    this.#hasEnded = true;
    await this.#writing;
    await this.#file.close();
  }

  #format(kind: string, values: Readonly<Record<string, string | number>>): string {
    return `${JSON.stringify({ at: new Date().toISOString(), end: this.#source.end, kind, ...values })}\n`;
  }

  #write(): void {
    if (this.#hasFailed || this.#hasEnded) {
      this.#lines.length = 0;
      return;
    }
    for (const row of this.#source.readRows()) this.#addIfChanged(row);
    if (this.#lines.length === 0) return;
    const text = this.#lines.splice(0).join('');
    this.#writing = this.#writing
      .then(() => this.#file.appendFile(text))
      .catch((error: unknown) => {
        this.#hasFailed = true;
        this.#onNote(`The counters are not written any more: ${(error as Error).message}`);
      });
  }

  #addIfChanged({ kind, labels, sums }: CounterRow): void {
    const key = JSON.stringify([kind, labels]);
    const text = JSON.stringify(sums);
    if (this.#written.get(key) === text) return;
    this.#written.set(key, text);
    this.#lines.push(this.#format(kind, { ...labels, ...sums }));
  }
}
