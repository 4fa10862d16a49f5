/** What a stream carries, in order: docs/httpep-protocol.md. */
export const recordTypes = { head: 1, information: 2, body: 3, trailers: 4, abort: 5, promise: 6 } as const;

export type RecordType = (typeof recordTypes)[keyof typeof recordTypes];

export interface ExchangeRecord {
  type: RecordType;
  /** Of a body possibly a part: what came so far. */
  bytes: Buffer;
}

/** Type (1), length (3). */
export const recordHeaderBytes = 4;
/** The longest record but a body: packed heads are far shorter. */
export const maxRecordBytes = 256 * 1024;

const nothing = Buffer.alloc(0);

export function encodeRecord(type: RecordType, bytes: Buffer = nothing): Buffer {
  const header = Buffer.allocUnsafe(recordHeaderBytes);
  header.writeUIntBE(bytes.length, 1, 3);
  header[0] = type;
  return Buffer.concat([header, bytes]);
}
