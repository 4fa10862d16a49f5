import { readInt32, readUint16 } from '../decode/byte-order.ts';
import type { DecodedPacket } from '../decode/decoded-packet.ts';

export const tcpFlags = { fin: 1, syn: 2, rst: 4, ack: 16 } as const;
export const smallestHeaderBytes = 20;

/** One TCP segment; filled again for every packet. */
export interface TcpSegment {
  /** Since the second of the trace's first packet; NaN for a packet without a time. */
  timeNs: number;
  sequence: number;
  acknowledgement: number;
  flags: number;
  /** As in the header, not scaled. */
  window: number;
  payloadOffset: number;
  payloadBytes: number;
  /** Of its first byte. A SYN has the number before it, and may have data of its own: TCP Fast Open (RFC 7413). */
  payloadSequence: number;
  /** Sequence numbers that the segment takes up: its payload, SYN and FIN. */
  end: number;
}

export function makeTcpSegment(): TcpSegment {
  return {
    timeNs: 0,
    sequence: 0,
    acknowledgement: 0,
    flags: 0,
    window: 0,
    payloadOffset: 0,
    payloadBytes: 0,
    payloadSequence: 0,
    end: 0,
  };
}

/** Fills `segment`, and says whether the header is whole and right. */
export function readTcpSegment(
  bytes: Uint8Array,
  packet: DecodedPacket,
  segment: TcpSegment,
): 'read' | 'cut' | 'malformed' {
  const offset = packet.transportOffset;
  if (packet.transportBytes < smallestHeaderBytes) return 'malformed';
  if (offset + smallestHeaderBytes > packet.capturedEnd) return 'cut';
  const headerBytes = 4 * (bytes[offset + 12]! >> 4);
  if (headerBytes < smallestHeaderBytes || headerBytes > packet.transportBytes) return 'malformed';
  segment.sequence = readInt32(bytes, offset + 4);
  segment.acknowledgement = readInt32(bytes, offset + 8);
  segment.flags = bytes[offset + 13]!;
  segment.window = readUint16(bytes, offset + 14);
  segment.payloadOffset = offset + headerBytes;
  segment.payloadBytes = packet.transportBytes - headerBytes;
  segment.payloadSequence = (segment.flags & tcpFlags.syn) === 0 ? segment.sequence : (segment.sequence + 1) | 0;
  segment.end =
    (segment.sequence + segment.payloadBytes + ((segment.flags & (tcpFlags.syn | tcpFlags.fin)) === 0 ? 0 : 1)) | 0;
  return 'read';
}
