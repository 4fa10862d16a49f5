import { z } from 'zod';
import { formatAddress } from './address.ts';
import { readUint16 } from './byte-order.ts';
import type { DecodedPacket } from './decoded-packet.ts';

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
