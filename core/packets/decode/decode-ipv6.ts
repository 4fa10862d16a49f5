import type { PacketRecord } from '../trace/packet-record.ts';
import { readUint16 } from './byte-order.ts';
import type { DecodedPacket } from './decoded-packet.ts';

const fixedHeaderBytes = 40;
const nextHeaders = { fragment: 44, authentication: 51 } as const;
/** Headers whose length is their second byte, in units of 8 bytes beyond the first: hop-by-hop, routing, destination, mobility, HIP, shim6. */
const sizedHeaders: readonly number[] = [0, 43, 60, 135, 139, 140];

/** RFC 8200, with its extension headers. A payload length of 0 is a jumbogram or comes from TSO: then all of the frame counts. */
export function decodeIpv6(record: PacketRecord, packet: DecodedPacket, offset: number): void {
  const { bytes } = record;
  packet.ipVersion = 6;
  packet.outcome = 'cut';
  if (offset + fixedHeaderBytes > packet.capturedEnd) return;
  if (bytes[offset]! >> 4 !== 6) {
    packet.outcome = 'malformed';
    return;
  }
  packet.hasAddresses = true;
  packet.sourceOffset = offset + 8;
  packet.destinationOffset = offset + 24;
  const frameBytes = packet.wireEnd - offset - fixedHeaderBytes;
  const payloadBytes = Math.min(readUint16(bytes, offset + 4) || frameBytes, frameBytes);
  const end = offset + fixedHeaderBytes + payloadBytes;

  let header = bytes[offset + 6]!;
  let position = offset + fixedHeaderBytes;
  let isFragment = false;
  while (header === nextHeaders.fragment || header === nextHeaders.authentication || sizedHeaders.includes(header)) {
    if (position + 8 > packet.capturedEnd) return;
    if (header === nextHeaders.fragment) {
      isFragment = (readUint16(bytes, position + 2) & 0xfff9) !== 0;
      header = bytes[position]!;
      position += 8;
      if (isFragment) break;
    } else {
      const unit =
        header === nextHeaders.authentication ? 4 * (bytes[position + 1]! + 2) : 8 * (bytes[position + 1]! + 1);
      header = bytes[position]!;
      position += unit;
    }
  }
  packet.protocol = header;
  packet.transportOffset = position;
  packet.transportBytes = end - position;
  if (packet.transportBytes < 0) packet.outcome = 'malformed';
  else packet.outcome = isFragment ? 'fragment' : 'transport';
}
