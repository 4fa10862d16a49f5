import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, opendirSync, readdirSync, rmSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import type { Picture } from '#core/protocol/filmstrip.ts';

interface UploaderOptions {
  /** Returns why the Controller will never take it, or null when it has it. */
  upload: (sha256: string, signal: AbortSignal) => Promise<string | null>;
  mustWait: () => boolean;
  log: Logger;
}

/** Uploads what is spooled, one after the other, never while this host measures. What failed or was broken off begins again at the next call of `uploadAll`. */
export class PictureUploader {
  readonly #spool: PictureSpool;
  readonly #options: UploaderOptions;
  #transfer: AbortController | null = null;

  constructor(spool: PictureSpool, options: UploaderOptions) {
    this.#spool = spool;
    this.#options = options;
  }

  uploadAll(): void {
    if (this.#transfer === null) void this.#upload();
  }

  pause(): void {
    this.#transfer?.abort(new Error('A Pass is to be measured'));
  }

  async #upload(): Promise<void> {
    const transfer = new AbortController();
    this.#transfer = transfer;
    try {
      for (
        let sha256 = this.#spool.next();
        sha256 !== null && !transfer.signal.aborted && !this.#options.mustWait();
        sha256 = this.#spool.next()
      ) {
        const refusal = await this.#options.upload(sha256, transfer.signal);
        if (refusal !== null)
          this.#options.log.error({ sha256 }, `The Controller refused a picture, which is dropped: ${refusal}`);
        this.#spool.forget(sha256);
      }
    } catch (error) {
      if (!transfer.signal.aborted)
        this.#options.log.warn({ err: error }, 'A picture could not be uploaded; it stays in the spool');
    } finally {
      this.#transfer = null;
    }
  }
}

/** Pictures of pages until the Controller has them: files by their hash, so that equal ones are kept, and uploaded, once. */
export class PictureSpool {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)) if (name.endsWith('.unfinished')) rmSync(path.join(folder, name));
  }

  async keep(jpeg: Uint8Array): Promise<Picture> {
    const sha256 = createHash('sha256').update(jpeg).digest('hex');
    const unfinished = `${this.fileOf(sha256)}.${randomUUID()}.unfinished`;
    // Not flushed: beside other User Agents that measure it would cost, and the Controller refuses one that a power cut left damaged.
    await writeFile(unfinished, jpeg, { mode: 0o600 });
    await rename(unfinished, this.fileOf(sha256));
    return { sha256, bytes: jpeg.length };
  }

  /** The hash of one that waits; null when none does. */
  next(): string | null {
    const folder = opendirSync(this.#folder);
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync())
        if (entry.name.endsWith('.jpg')) return path.basename(entry.name, '.jpg');
      return null;
    } finally {
      folder.closeSync();
    }
  }

  fileOf(sha256: string): string {
    return path.join(this.#folder, `${sha256}.jpg`);
  }

  forget(sha256: string): void {
    rmSync(this.fileOf(sha256), { force: true });
  }
}
