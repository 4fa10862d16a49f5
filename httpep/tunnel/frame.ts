/** docs/httpep-protocol.md describes each. */
export const frameTypes = { data: 1, end: 2, reset: 3, window: 4, ack: 5, ping: 6, pong: 7, stop: 8 } as const;

export type FrameType = (typeof frameTypes)[keyof typeof frameTypes];

export interface Frame {
  type: FrameType;
  /** 0 for frames that belong to a connection. */
  stream: number;
  offset: number;
  payload: Buffer;
}

/** Length of the payload (2), type (1), stream (6), offset (6). */
export const headerBytes = 15;

const nothing = Buffer.alloc(0);

export function encodeFrame({
  type,
  stream,
  offset,
  payload = nothing,
}: Omit<Frame, 'payload'> & Partial<Frame>): Buffer {
  const bytes = Buffer.allocUnsafe(headerBytes + payload.length);
  bytes.writeUInt16BE(payload.length, 0);
  bytes[2] = type;
  bytes.writeUIntBE(stream, 3, 6);
  bytes.writeUIntBE(offset, 9, 6);
  payload.copy(bytes, headerBytes);
  return bytes;
}
