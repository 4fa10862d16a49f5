import { createReadStream } from 'node:fs';
import { Readable, type Transform, pipeline } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { AppError } from '#core/app-error.ts';
import type { CaptureStatistics } from '#core/packets/capture-statistics.ts';
import { TraceMeter } from '#core/packets/trace-meter.ts';

const gzipMagic = Buffer.from('1f8b', 'hex');
const zstdMagic = Buffer.from('28b52ffd', 'hex');

const chunkBytes = 1 << 20;

/** The statistics of a trace, compressed or not; `-` is standard input. Throws `not-a-trace`, and `invalid-input` for what cannot be read. */
export async function measureFile(file: string, localAddresses: string[]): Promise<CaptureStatistics> {
  const input = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: chunkBytes });
  const meter = new TraceMeter({ localAddresses });
  let pushedBytes = 0;
  try {
    for await (const chunk of decompress(input)) {
      meter.push(chunk);
      pushedBytes += chunk.length;
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined || error instanceof AppError) throw error;
    const isCompression = code.startsWith('Z_') || code.startsWith('ZSTD_');
    if (!isCompression) {
      const advice = code === 'EISDIR' ? 'name a trace, or compare a folder of them with --against' : 'name a trace';
      throw new AppError('invalid-input', `cannot be read (${code}): ${advice}`, { cause: error });
    }
    if (pushedBytes === 0)
      throw new AppError('not-a-trace', `is not a trace: it cannot be decompressed (${message})`, { cause: error });
    const statistics = meter.finish();
    const kind = code === 'Z_BUF_ERROR' ? 'truncated' : 'corrupt';
    return {
      ...statistics,
      damage: {
        kind,
        readToBytes: statistics.damage?.readToBytes ?? pushedBytes,
        problem: `its compressed data is damaged (${message})`,
      },
    };
  }
  return meter.finish();
}

/** The contents of a stream that may be compressed by gzip or zstd, as its first bytes show. */
async function* decompress(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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
