import type { Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { findHeader } from '#core/http1/header-list.ts';
import { isZlib } from '#core/http1/message-body.ts';
import type { OriginAnswer } from '../origin-request.ts';

/** Longer documents are read up to here only. */
const maxBytes = 4 * 1024 * 1024;
/** A few bytes may unpack to very many: what is read follows what came. Text for people is seldom compressed so much, beyond its first megabyte. */
const unpacking = { freeBytes: 1024 * 1024, mostPerByte: 32 };
/** So are those of more tags: each element takes some 700 bytes of memory, and ten microseconds. Large pages for people have a tenth of these. */
const maxTags = 100_000;
const tagStart = 0x3c;
/** Browsers refuse a larger window too. RFC 9659. */
const mostWindowLog = 23;

/** As many bytes of a body show whether it has the header of zlib. */
const leastStart = 2;

/** For a body that begins so. */
const decoders = new Map<string, (start: Buffer) => Transform>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', (start) => (isZlib(start) ? createInflate() : createInflateRaw())],
  ['br', () => createBrotliDecompress()],
  ['zstd', () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: mostWindowLog } })],
]);

/** Reads a body along while it passes: decoded, in order, without holding it up. What cannot be decoded is not read. */
export class BodyText {
  /** Null: it is not compressed. */
  readonly #makeDecoder: ((start: Buffer) => Transform) | null;
  /** Once enough has come to choose it. */
  #decoder: Transform | null = null;
  #start: Buffer = Buffer.alloc(0);
  readonly #onBytes: (bytes: Buffer) => void;
  #leftBytes: number;
  /** Beyond what is free, for what came. */
  #allowedBytes = 0;
  #leftTags = maxTags;
  #hasFailed = false;

  constructor({ headers }: Pick<OriginAnswer, 'headers'>, onBytes: (bytes: Buffer) => void) {
    this.#onBytes = onBytes;
    const coding = findHeader(headers, 'content-encoding')?.trim().toLowerCase() ?? 'identity';
    const isPlain = coding === 'identity' || coding === '';
    this.#leftBytes = isPlain ? maxBytes : unpacking.freeBytes;
    this.#makeDecoder = decoders.get(coding) ?? null;
    this.#hasFailed = !isPlain && this.#makeDecoder === null;
  }

  /** The body was too long, unpacks to too much, has too many tags, or cannot be decoded. */
  #isCut(): boolean {
    return this.#hasFailed || this.#leftBytes <= 0 || this.#leftTags < 0;
  }

  /** Resolves when what these bytes hold was read. */
  async write(chunk: Buffer): Promise<void> {
    if (this.#isCut()) return;
    if (!this.#makeDecoder) {
      this.#take(chunk);
      return;
    }
    this.#allow(chunk.length);
    const bytes = this.#decoder ? chunk : (this.#start = Buffer.concat([this.#start, chunk]));
    if (bytes.length < leastStart && !this.#decoder) return;
    const decoder = (this.#decoder ??= this.#makeDecoder(bytes).on('error', () => {
      this.#hasFailed = true;
    }));
    const { promise, resolve } = Promise.withResolvers<void>();
    decoder.once('close', resolve);
    // A decoder whose output nobody takes does not call back.
    const take = () => this.#takeDecoded();
    decoder.on('readable', take);
    decoder.write(bytes, () => resolve());
    await promise;
    decoder.off('readable', take);
    decoder.off('close', resolve);
    this.#takeDecoded();
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

  /** More may be read when so much more came. */
  #allow(cameBytes: number): void {
    const untilMost = maxBytes - unpacking.freeBytes - this.#allowedBytes;
    const moreBytes = Math.min(untilMost, cameBytes * unpacking.mostPerByte);
    this.#allowedBytes += moreBytes;
    this.#leftBytes += moreBytes;
  }

  #takeDecoded(): void {
    for (let bytes = this.#read(); bytes !== null && !this.#isCut(); bytes = this.#read()) this.#take(bytes);
    // Nothing more is decoded of what came already.
    if (this.#isCut()) this.#decoder!.destroy();
  }

  #read(): Buffer | null {
    return this.#hasFailed ? null : (this.#decoder!.read() as Buffer | null);
  }

  #take(bytes: Buffer): void {
    const taken = this.#upToLastTag(bytes.subarray(0, this.#leftBytes));
    this.#leftBytes -= bytes.length;
    this.#onBytes(taken);
  }

  #upToLastTag(bytes: Buffer): Buffer {
    for (let place = bytes.indexOf(tagStart); place !== -1; place = bytes.indexOf(tagStart, place + 1)) {
      this.#leftTags -= 1;
      if (this.#leftTags < 0) return bytes.subarray(0, place);
    }
    return bytes;
  }
}
