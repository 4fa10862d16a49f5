import { readInt32 } from '../decode/byte-order.ts';

const longHeaderWithFixedBit = 0xc0;
const names: ReadonlyMap<number, string> = new Map([
  [1, 'QUIC v1'],
  [0x6b3343cf, 'QUIC v2'],
]);
const draftPrefix = 0xff0000;

/**
 * The version in the long header that every QUIC connection begins with (RFC 9000, 17.2; RFC 9369; the drafts). Null when the payload
 * of a UDP packet is no such header.
 */
export function readQuicVersion(payload: Uint8Array): string | null {
  if (payload.length < 7 || (payload[0]! & longHeaderWithFixedBit) !== longHeaderWithFixedBit || payload[5]! > 20)
    return null;
  const version = readInt32(payload, 1) >>> 0;
  if (version >>> 8 === draftPrefix) return `QUIC draft ${version & 0xff}`;
  return names.get(version) ?? null;
}
