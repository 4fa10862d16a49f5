import { Readable, type Transform, pipeline } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';

const gzipMagic = Buffer.from('1f8b', 'hex');
const zstdMagic = Buffer.from('28b52ffd', 'hex');

/** The contents of a stream that may be compressed by gzip or zstd, as its first bytes show. */
export async function* decompress(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const iterator = input[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < zstdMagic.length) {
    const next = await iterator.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  const whole = prepend(head, iterator);
  const decompressor = findDecompressor(head);
  if (decompressor === null) yield* whole;
  // Errors reach the reader of the last stream; the callback only keeps them from being thrown besides.
  else yield* pipeline(Readable.from(whole), decompressor, () => undefined) as AsyncIterable<Buffer>;
}

function findDecompressor(head: Buffer): Transform | null {
  if (head.subarray(0, gzipMagic.length).equals(gzipMagic)) return createGunzip();
  return head.subarray(0, zstdMagic.length).equals(zstdMagic) ? createZstdDecompress() : null;
}

async function* prepend(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
