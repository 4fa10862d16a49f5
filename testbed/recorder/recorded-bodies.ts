import { createReadStream } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#core/app-error.ts';
import { mostBodyBytes, mostSiteBytes } from '#core/site/site.ts';
import type { RecordedBody } from '#site/warc-record.ts';

export interface RecordedBodiesOptions {
  /** Bodies are kept in it until they are written. */
  folder: string;
  /** Called with what ends the recording: a limit that is exceeded, or a body that cannot be kept. */
  onFailure: (error: AppError) => void;
}

/** The bodies of a recording, each in a file; equal ones once. */
export class RecordedBodies {
  readonly #options: RecordedBodiesOptions;
  /** By SHA-256. */
  readonly #bodies = new Map<string, RecordedBody>();
  #bytes = 0;
  #files = 0;

  constructor(options: RecordedBodiesOptions) {
    this.#options = options;
  }

  async openFile(): Promise<{ file: string; handle: FileHandle }> {
    const file = path.join(this.#options.folder, `body-${++this.#files}`);
    return { file, handle: await this.write(() => open(file, 'wx', 0o600)) };
  }

  /** Does something with the file of a body. */
  async write<Result>(action: () => Promise<Result>): Promise<Result> {
    try {
      return await action();
    } catch (cause) {
      const { folder } = this.#options;
      const message = `Bodies cannot be kept in ${folder}: ${(cause as Error).message}`;
      const error = new AppError('recording-failed', message, { cause });
      this.#options.onFailure(error);
      throw error;
    }
  }

  /** Counts before they are kept. Throws where that would be too much. */
  count(bytes: number, ofBody: number): void {
    this.#bytes += bytes;
    if (ofBody > mostBodyBytes) this.#exceed(`a body has more than ${mostBodyBytes / 1024 ** 2} MiB`);
    if (this.#bytes > mostSiteBytes) this.#exceed(`all bodies have more than ${mostSiteBytes / 1024 ** 2} MiB`);
  }

  /** The body that the file has; where an earlier one is the same, that one, and the file is removed. */
  async take(file: string, { bytes, sha256 }: { bytes: number; sha256: string }): Promise<RecordedBody> {
    const earlier = this.#bodies.get(sha256);
    if (earlier) {
      await this.drop(file, bytes);
      return earlier;
    }
    const body = { bytes, sha256, read: () => createReadStream(file) };
    this.#bodies.set(sha256, body);
    return body;
  }

  async drop(file: string, bytes: number): Promise<void> {
    this.#bytes -= bytes;
    await rm(file, { force: true });
  }

  #exceed(how: string): never {
    const error = tooLarge(how);
    this.#options.onFailure(error);
    throw error;
  }
}

export function tooLarge(how: string): AppError {
  return new AppError('too-large', `The recording is larger than a Site can be: ${how}. Record fewer pages or visits`);
}
