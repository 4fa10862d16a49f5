import { constants, zstdCompressSync } from 'node:zlib';
import { toColumns } from '#core/columns/to-columns.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';

/** A page of 100 objects takes 6 % less space than with the usual 3, for half a millisecond of CPU time. Level 19 takes 7 % less again, and ten times as long. */
export const snapshotCompression = { params: { [constants.ZSTD_c_compressionLevel]: 8 } };

/** A Snapshot as it is kept, sent and stored: a page of 100 objects takes a twentieth of its JSON. */
export function compressSnapshot(snapshot: Snapshot): Uint8Array<ArrayBuffer> {
  return new Uint8Array(zstdCompressSync(JSON.stringify(toColumns(snapshot)), snapshotCompression));
}
