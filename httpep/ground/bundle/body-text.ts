import type { Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { findHeader } from '../../exchange/header-list.ts';
import type { OriginAnswer } from '../origin-request.ts';

/** Longer documents are read up to here only: a few bytes may unpack to very many. */
const maxBytes = 8 * 1024 * 1024;

const decoders: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** Reads a body along while it passes: decoded, in order, without holding it up. What cannot be decoded is not read. */
export class BodyText {
  readonly #decoder: Transform | null = null;
  readonly #onBytes: (bytes: Buffer) => void;
  #leftBytes = maxBytes;
  #hasFailed = false;

  constructor({ headers }: Pick<OriginAnswer, 'headers'>, onBytes: (bytes: Buffer) => void) {
    this.#onBytes = onBytes;
    const coding = findHeader(headers, 'content-encoding')?.trim().toLowerCase() ?? 'identity';
    if (coding === 'identity' || coding === '') return;
    this.#decoder = decoders[coding]?.() ?? null;
    this.#hasFailed = this.#decoder === null;
    this.#decoder?.on('error', () => {
      this.#hasFailed = true;
    });
  }

  /** The body was too long, or cannot be decoded. */
  #isCut(): boolean {
    return this.#hasFailed || this.#leftBytes <= 0;
  }

  /** Resolves when what these bytes hold was read. */
  async write(chunk: Buffer): Promise<void> {
    if (this.#isCut()) return;
    if (!this.#decoder) {
      this.#take(chunk);
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#decoder.once('close', resolve);
    // A decoder whose output nobody takes does not call back.
    const take = () => this.#takeDecoded();
    this.#decoder.on('readable', take);
    this.#decoder.write(chunk, () => resolve());
    await promise;
    this.#decoder.off('readable', take);
    this.#decoder.off('close', resolve);
    this.#takeDecoded();
    if (this.#isCut()) this.#decoder.destroy();
  }

  async end(): Promise<void> {
    if (this.#isCut() || !this.#decoder) return;
    const decoder = this.#decoder;
    const take = () => this.#takeDecoded();
    decoder.on('readable', take);
    decoder.end();
    // Where bytes follow what is compressed, the decoder has ended already.
    // An end that is missing makes an error, which says what is known already.
    await finished(decoder).catch(() => undefined);
    decoder.destroy();
  }

  destroy(): void {
    this.#decoder?.destroy();
  }

  #takeDecoded(): void {
    for (let bytes = this.#read(); bytes !== null && !this.#isCut(); bytes = this.#read()) this.#take(bytes);
  }

  #read(): Buffer | null {
    return this.#hasFailed ? null : (this.#decoder!.read() as Buffer | null);
  }

  #take(bytes: Buffer): void {
    const taken = bytes.subarray(0, this.#leftBytes);
    this.#leftBytes -= bytes.length;
    this.#onBytes(taken);
  }
}
