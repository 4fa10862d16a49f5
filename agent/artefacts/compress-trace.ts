import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** Writes a copy of a trace, compressed by gzip, which every tool that reads traces can read. Returns the hash and length of what was written. */
export async function compressTrace({
  from,
  to,
  signal,
}: {
  from: string;
  to: string;
  signal: AbortSignal;
}): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const measure = async function* (compressed: AsyncIterable<Buffer>) {
    for await (const chunk of compressed) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  await pipeline(createReadStream(from), createGzip(), measure, createWriteStream(to, { mode: 0o600 }), { signal });
  return { sha256: hash.digest('hex'), bytes };
}
