import type { Duplex } from 'node:stream';
import { TunnelError } from '../tunnel/tunnel-error.ts';

/** What a stream carries, in order: docs/httpep-protocol.md. */
export const recordTypes = { head: 1, information: 2, body: 3, trailers: 4, abort: 5, promise: 6 } as const;

export type RecordType = (typeof recordTypes)[keyof typeof recordTypes];

export interface ExchangeRecord {
  type: RecordType;
  /** Of a body possibly a part: what came so far. */
  bytes: Buffer;
}

/** Type (1), length (3). */
const recordHeaderBytes = 4;
/** The longest record but a body: packed heads are far shorter. */
const maxRecordBytes = 512 * 1024;

const nothing = Buffer.alloc(0);

const known = new Set<number>(Object.values(recordTypes));

/** The records of a stream as they come. Throws what destroyed the stream, and `protocol` for what is no record. */
export async function* readRecords(stream: Duplex): AsyncGenerator<ExchangeRecord> {
  const reader = new RecordReader();
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) yield* reader.read(chunk as Buffer);
}

/** Finds the records in the bytes of a stream. Bodies are handed on as they come; the others are held until they are whole. */
export class RecordReader {
  #rest: Buffer = Buffer.alloc(0);
  #bodyBytes = 0;

  /** Throws `protocol` for what is no record, or too long a one. */
  read(chunk: Buffer): ExchangeRecord[] {
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    const records: ExchangeRecord[] = [];
    for (;;) {
      if (this.#bodyBytes > 0 && bytes.length > 0) {
        const part = bytes.subarray(0, this.#bodyBytes);
        records.push({ type: recordTypes.body, bytes: part });
        this.#bodyBytes -= part.length;
        bytes = bytes.subarray(part.length);
      }
      if (bytes.length < recordHeaderBytes) break;
      const { type, length } = decodeHeader(bytes);
      if (type === recordTypes.body) {
        this.#bodyBytes = length;
        bytes = bytes.subarray(recordHeaderBytes);
        continue;
      }
      const end = recordHeaderBytes + length;
      if (bytes.length < end) break;
      records.push({ type, bytes: bytes.subarray(recordHeaderBytes, end) });
      bytes = bytes.subarray(end);
    }
    this.#rest = bytes;
    return records;
  }
}

function decodeHeader(bytes: Buffer): { type: RecordType; length: number } {
  const type = bytes[0]!;
  const length = bytes.readUIntBE(1, 3);
  if (!known.has(type)) throw new TunnelError('protocol', `A record has type ${type}, which does not exist`);
  if (type !== recordTypes.body && length > maxRecordBytes) {
    throw new TunnelError('protocol', `A record of ${length} bytes is too long`);
  }
  return { type: type as RecordType, length };
}

export function encodeRecord(type: RecordType, bytes: Buffer = nothing): Buffer {
  const header = Buffer.allocUnsafe(recordHeaderBytes);
  header.writeUIntBE(bytes.length, 1, 3);
  header[0] = type;
  return Buffer.concat([header, bytes]);
}
