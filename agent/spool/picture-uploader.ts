import type { Logger } from 'pino';
import type { PictureSpool } from './picture-spool.ts';

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
