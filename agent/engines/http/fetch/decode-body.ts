import { finished } from 'node:stream/promises';
import { Transform, type TransformCallback } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { isZlib } from '#core/http1/message-body.ts';

/** Where the bytes of a body go; `end` resolves when all of them have come out decoded. */
export interface BodyDecoder {
  write(chunk: Buffer): void;
  end(): Promise<void>;
}

/** Undoes the content codings of a body. Rejects at the end when it is not what its header says. */
export function decodeBody(contentEncoding: string | undefined, onDecoded: (chunk: Buffer) => void): BodyDecoder {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  // The last one applied is the first to be undone. An unknown one leaves the bytes as they are, as in browsers.
  const steps = codings
    .reverse()
    .map(makeDecoder)
    .filter((step) => step !== null);
  const [first, ...rest] = steps;
  if (!first) return { write: onDecoded, end: () => Promise.resolve() };
  const last = rest.reduce((stream, step) => {
    stream.once('error', (error) => step.destroy(error));
    return stream.pipe(step);
  }, first);
  last.on('data', onDecoded);
  const over = finished(last, { writable: false });
  over.catch(() => undefined); // reported by `end`
  return {
    write: (chunk) => {
      if (!first.destroyed) first.write(chunk);
    },
    end: () => {
      if (!first.destroyed) first.end();
      return over;
    },
  };
}

/** Browsers show what came of a coding that ends too early, or has nothing to decode: only the connection shows whether that was all. */
const lenient = { finishFlush: constants.Z_SYNC_FLUSH };

/** With the header of zlib, or without. */
class Inflate extends Transform {
  #inner: Transform | null = null;
  #start: Buffer = Buffer.alloc(0);

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    if (this.#inner) {
      this.#inner.write(chunk, (error) => callback(error));
      return;
    }
    this.#start = Buffer.concat([this.#start, chunk]);
    if (this.#start.length < 2) return callback();
    this.#begin().write(this.#start, (error) => callback(error));
  }

  override _flush(callback: TransformCallback): void {
    const inner = this.#inner ?? this.#begin();
    inner.once('end', () => callback());
    inner.end(this.#inner ? undefined : this.#start);
  }

  #begin(): Transform {
    const inner = isZlib(this.#start) ? createInflate(lenient) : createInflateRaw(lenient);
    inner.on('data', (chunk: Buffer) => this.push(chunk));
    inner.once('error', (error) => this.destroy(error));
    this.#inner = inner;
    return inner;
  }
}

function makeDecoder(coding: string): Transform | null {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(lenient);
    case 'deflate':
      return new Inflate();
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    case 'zstd':
      return createZstdDecompress();
    default:
      return null;
  }
}
