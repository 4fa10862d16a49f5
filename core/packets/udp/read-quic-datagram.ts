import { readInt32 } from '../decode/byte-order.ts';

/** What the headers of the QUIC packets in one datagram show: these parts of them are not encrypted (RFC 8999, RFC 9000, 17). */
export interface QuicDatagram {
  /** Of the first long header; null where the datagram has none. */
  version: string | null;
  /** Of its long headers, which have the same: the id by which the receiver knows the connection, a character for each byte. Null where the datagram has none. */
  destinationId: string | null;
  hasInitial: boolean;
  hasZeroRtt: boolean;
  /** A packet with keys of the handshake, or of what follows it: so its sender has read the answer of the other end. */
  hasLaterKeys: boolean;
}

const longHeader = 0x80;
const fixedBit = 0x40;
const maximumIdBytes = 20;
const versions: ReadonlyMap<number, string> = new Map([
  [1, 'QUIC v1'],
  [0x6b3343cf, 'QUIC v2'],
]);
const draftPrefix = 0xff0000;
const types = ['initial', '0-rtt', 'handshake', 'retry'] as const;

/**
 * Reads as far as the datagram was captured. Null when its payload does not begin with a header of QUIC v1, v2 (RFC 9369) or a draft. `isKnown`: a datagram of the flow had a long header
 * before. Then the ends may clear the fixed bit (RFC 9287). Behind another packet, only a long header may: zeros there may be padding.
 */
export function readQuicDatagram(payload: Uint8Array, { isKnown }: { isKnown: boolean }): QuicDatagram | null {
  const found: QuicDatagram = {
    version: null,
    destinationId: null,
    hasInitial: false,
    hasZeroRtt: false,
    hasLaterKeys: false,
  };
  for (let offset = 0; offset < payload.length;) {
    const first = payload[offset]!;
    const isLong = (first & longHeader) !== 0;
    const mayBeCleared = isKnown && (isLong || offset === 0);
    if ((first & fixedBit) === 0 && !mayBeCleared) return offset === 0 ? null : found;
    if (!isLong) return { ...found, hasLaterKeys: true };
    const packet = readLongHeader(payload, offset);
    if (packet === null) return found.version === null ? null : found;
    found.version ??= packet.version;
    found.destinationId ??= packet.destinationId;
    if (packet.type === 'initial') found.hasInitial = true;
    if (packet.type === '0-rtt') found.hasZeroRtt = true;
    if (packet.type === 'handshake') found.hasLaterKeys = true;
    offset = packet.end;
  }
  return found.version === null ? null : found;
}

/** `end` is where the next packet of the datagram begins; Infinity where that is not captured. Null when it is no such header. */
function readLongHeader(
  payload: Uint8Array,
  offset: number,
): { version: string; destinationId: string; type: (typeof types)[number]; end: number } | null {
  const idOffset = offset + 5;
  if (idOffset + 2 > payload.length || payload[idOffset]! > maximumIdBytes) return null;
  const number = readInt32(payload, offset + 1) >>> 0;
  const version = number >>> 8 === draftPrefix ? `QUIC draft ${number & 0xff}` : (versions.get(number) ?? null);
  if (version === null) return null;
  const bits = (payload[offset]! >>> 4) & 3;
  const type = types[version === 'QUIC v2' ? (bits + 3) % 4 : bits]!;
  const sourceIdOffset = idOffset + 1 + payload[idOffset]!;
  const destinationId = String.fromCharCode(...payload.subarray(idOffset + 1, sourceIdOffset));
  if (type === 'retry') return { version, destinationId, type, end: Infinity };
  let position = sourceIdOffset + 1 + (payload[sourceIdOffset] ?? Infinity);
  if (type === 'initial') {
    const token = readVariable(payload, position);
    position = token.end + token.value;
  }
  const rest = readVariable(payload, position);
  return { version, destinationId, type, end: rest.end + rest.value };
}

/** A variable-length integer (RFC 9000, 16); Infinity where it is not captured. */
function readVariable(bytes: Uint8Array, offset: number): { value: number; end: number } {
  const first = bytes[offset];
  const length = first === undefined ? Infinity : 1 << (first >>> 6);
  if (!(offset + length <= bytes.length)) return { value: Infinity, end: Infinity };
  let value = first! & 0x3f;
  for (let index = 1; index < length; index++) value = value * 256 + bytes[offset + index]!;
  return { value, end: offset + length };
}
