import { constants, zstdCompressSync } from 'node:zlib';
import type { Snapshot } from '#core/metrics/snapshot.ts';

/** A page of 100 objects takes 0.9 ms of CPU time, and 13 % less space than with the usual 3. Beyond 12, the time grows tenfold for 10 %. */
const level = 8;

/** A Snapshot as it is kept, sent and stored: about a tenth of its JSON. */
export function compressSnapshot(snapshot: Snapshot): Uint8Array<ArrayBuffer> {
  return new Uint8Array(
    zstdCompressSync(JSON.stringify(snapshot), { params: { [constants.ZSTD_c_compressionLevel]: level } }),
  );
}
