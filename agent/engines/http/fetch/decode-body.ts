import { finished } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { Transform } from 'node:stream';

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

function makeDecoder(coding: string): Transform | null {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    case 'zstd':
      return createZstdDecompress();
    default:
      return null;
  }
}
