import { createReadStream } from 'node:fs';
import { AppError } from '#core/app-error.ts';
import type { CaptureStatistics } from '#core/packets/capture-statistics.ts';
import { TraceMeter } from '#core/packets/trace-meter.ts';
import { decompress } from './decompress.ts';

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
    if (!isCompression) throw new AppError('invalid-input', `cannot be read (${code}): name a trace`, { cause: error });
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
