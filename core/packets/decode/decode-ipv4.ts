import type { PacketRecord } from '../trace/packet-record.ts';
import { readUint16 } from './byte-order.ts';
import type { DecodedPacket } from './decoded-packet.ts';

const fixedHeaderBytes = 20;
const moreFragmentsAndOffset = 0x3fff;

/** RFC 791. A total length of 0 comes from a card that does the segmentation (TSO): then all of the frame counts. */
export function decodeIpv4(record: PacketRecord, packet: DecodedPacket, offset: number): void {
  const { bytes } = record;
  packet.ipVersion = 4;
  if (offset + fixedHeaderBytes > packet.capturedEnd) {
    packet.outcome = 'cut';
    return;
  }
  const frameBytes = packet.wireEnd - offset;
  const headerBytes = 4 * (bytes[offset]! & 0x0f);
  const totalBytes = Math.min(readUint16(bytes, offset + 2) || frameBytes, frameBytes);
  if (bytes[offset]! >> 4 !== 4 || headerBytes < fixedHeaderBytes || totalBytes < headerBytes) {
    packet.outcome = 'malformed';
    return;
  }
  packet.hasAddresses = true;
  packet.sourceOffset = offset + 12;
  packet.destinationOffset = offset + 16;
  packet.protocol = bytes[offset + 9]!;
  packet.transportOffset = offset + headerBytes;
  packet.transportBytes = totalBytes - headerBytes;
  packet.outcome = (readUint16(bytes, offset + 6) & moreFragmentsAndOffset) === 0 ? 'transport' : 'fragment';
}
