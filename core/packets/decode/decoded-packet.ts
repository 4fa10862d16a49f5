import { z } from 'zod';
import { formatAddress } from './address.ts';
import { readUint16 } from './byte-order.ts';

/**
 * What the headers of one packet say. One object is filled again and again: a trace has millions of packets.
 * `cut`: the snap length took away headers that are needed. `other`: nothing that is decoded here.
 */
export interface DecodedPacket {
  outcome: 'transport' | 'fragment' | 'other' | 'cut' | 'malformed' | 'unknown-link-type';
  /** What the link layer says that it carries; 0 where it does not say. */
  etherType: number;
  ipVersion: 0 | 4 | 6;
  /** Whether the IP header was whole and right; without it, none of the fields below means anything. */
  hasAddresses: boolean;
  /** Where the addresses begin in the bytes of the record; 4 or 16 bytes each. */
  sourceOffset: number;
  destinationOffset: number;
  /** 6 TCP, 17 UDP. */
  protocol: number;
  transportOffset: number;
  /** Length of header and payload of the transport as the IP header gives it, never more than was on the wire. */
  transportBytes: number;
  /** Where the captured bytes of the packet end. */
  capturedEnd: number;
  /** Where the packet would end were all of it captured, without a frame check sequence. A length on the wire below the captured one is wrong. */
  wireEnd: number;
}

export const protocols = { tcp: 6, udp: 17 } as const;

export function makeDecodedPacket(): DecodedPacket {
  return {
    outcome: 'other',
    etherType: 0,
    ipVersion: 0,
    hasAddresses: false,
    sourceOffset: 0,
    destinationOffset: 0,
    protocol: 0,
    transportOffset: 0,
    transportBytes: 0,
    capturedEnd: 0,
    wireEnd: 0,
  };
}

export const EndpointSchema = z.object({ address: z.string(), port: z.int().min(0).max(65_535) });
export type Endpoint = z.infer<typeof EndpointSchema>;

/** The two ends of a TCP or UDP packet. */
export function readEndpoints(bytes: Uint8Array, packet: DecodedPacket): { source: Endpoint; destination: Endpoint } {
  const addressBytes = packet.ipVersion === 4 ? 4 : 16;
  return {
    source: {
      address: formatAddress(bytes, packet.sourceOffset, addressBytes),
      port: readUint16(bytes, packet.transportOffset),
    },
    destination: {
      address: formatAddress(bytes, packet.destinationOffset, addressBytes),
      port: readUint16(bytes, packet.transportOffset + 2),
    },
  };
}
