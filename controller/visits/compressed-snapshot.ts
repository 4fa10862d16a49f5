import { constants, gunzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { fromColumns, toColumns } from '#core/columns/columns.ts';
import { snapshotDictionary } from '#core/columns/snapshot-dictionary.ts';
import { compileCheck } from '#core/input/compile-check.ts';
import { SnapshotSchema, type Snapshot } from '#core/metrics/snapshot.ts';
import { mostSnapshotBytes } from '#core/protocol/sent-visit.ts';
import { parseStorableJson } from '../database/storable-json.ts';

/** https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1: the first bytes of each frame of zstd. What does not begin so, or with the dictionary's mark, is gzip. */
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const dictionary = Buffer.from(snapshotDictionary.text);
/** Of the past that a frame of zstd may refer to: 8 MiB, which is more than its usual levels do. The decompressor holds so much of it in memory. */
const mostWindowLog = 23;

/** A Snapshot that has more than it may have when it is decompressed. */
export class SnapshotTooLargeError extends Error {
  override readonly name = 'SnapshotTooLargeError';
}

export function compressSnapshot(snapshot: Snapshot): Uint8Array {
  return zstdCompressSync(JSON.stringify(toColumns(snapshot)));
}

/** Throws SnapshotTooLargeError as soon as it has decompressed too much, and any other error where the bytes are no Snapshot. */
export function readSnapshot(compressed: Uint8Array): Snapshot {
  return parseSnapshot(decompressSnapshot(compressed));
}

const isSnapshot = compileCheck(SnapshotSchema);

/** `json`: in columns or not. Throws, with what zod says, for what is no Snapshot. */
export function parseSnapshot(json: string): Snapshot {
  const value = fromColumns(parseStorableJson(json));
  return isSnapshot(value) ? value : SnapshotSchema.parse(value);
}

/** Its JSON. Throws SnapshotTooLargeError as soon as it has decompressed too much. */
export function decompressSnapshot(compressed: Uint8Array, mostBytes: number = mostSnapshotBytes): string {
  const isMarked = compressed[0] === snapshotDictionary.mark;
  const bytes = isMarked ? compressed.subarray(1) : compressed;
  try {
    const json =
      isMarked || zstdMagic.equals(bytes.subarray(0, zstdMagic.length))
        ? zstdDecompressSync(bytes, {
            maxOutputLength: mostBytes,
            chunkSize: chooseChunk(bytes),
            params: { [constants.ZSTD_d_windowLogMax]: mostWindowLog },
            ...(isMarked && { dictionary }),
          })
        : gunzipSync(bytes, { maxOutputLength: mostBytes });
    return json.toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new SnapshotTooLargeError(`The Snapshot has more than ${mostBytes} bytes`, { cause: error });
    throw error;
  }
}

/** zlib's own, and the most that is believed of a frame whose header says more. */
const chunkBytes = { least: 16_384, most: 1_048_576 };

/** So many bytes as the frame's header says that come out, for one chunk instead of many. https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1.1 */
function chooseChunk(frame: Uint8Array): number {
  const view = Buffer.from(frame.buffer, frame.byteOffset, Math.min(frame.byteLength, 18));
  if (view.length < 18) return chunkBytes.least;
  const descriptor = view[4]!;
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!;
  const offset = 5 + (isSingleSegment ? 0 : 1) + dictionaryBytes;
  const sizes = [isSingleSegment ? view[offset]! : 0, 256 + view.readUInt16LE(offset), view.readUInt32LE(offset)];
  return Math.min(chunkBytes.most, Math.max(chunkBytes.least, sizes[descriptor >> 6] ?? 0));
}
