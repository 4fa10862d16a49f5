import { parseAddress } from '#core/packets/decode/address.ts';

/** Packets made by hand, from the inside out. */
export interface TcpFields {
  source: string;
  destination: string;
  sourcePort: number;
  destinationPort: number;
  sequence: number;
  acknowledgement?: number;
  /** Letters: S, A, F, R, P. */
  flags: string;
  window?: number;
  options?: Uint8Array;
  payload?: Uint8Array;
}

const flagBits = { F: 1, S: 2, R: 4, P: 8, A: 16 };

export function joinBytes(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

export function tcpBytes(fields: TcpFields): Uint8Array {
  const options = fields.options ?? new Uint8Array(0);
  const header = Buffer.alloc(20);
  header.writeUInt16BE(fields.sourcePort, 0);
  header.writeUInt16BE(fields.destinationPort, 2);
  header.writeUInt32BE(fields.sequence >>> 0, 4);
  header.writeUInt32BE((fields.acknowledgement ?? 0) >>> 0, 8);
  header[12] = ((20 + options.length) / 4) << 4;
  header[13] = Object.entries(flagBits).reduce(
    (bits, [letter, bit]) => (fields.flags.includes(letter) ? bits | bit : bits),
    0,
  );
  header.writeUInt16BE(fields.window ?? 65_000, 14);
  return joinBytes(header, options, fields.payload ?? new Uint8Array(0));
}

export function udpBytes(sourcePort: number, destinationPort: number, payload: Uint8Array): Uint8Array {
  const header = Buffer.alloc(8);
  header.writeUInt16BE(sourcePort, 0);
  header.writeUInt16BE(destinationPort, 2);
  header.writeUInt16BE(8 + payload.length, 4);
  return joinBytes(header, payload);
}

export interface IpFields {
  source: string;
  destination: string;
  protocol: number;
  /** IPv4: the 16 bits of flags and offset. */
  fragment?: number;
  identification?: number;
  /** IPv4: instead of the right one. */
  totalBytes?: number;
}

/** IPv4 or IPv6, as the addresses are. */
export function ipBytes(fields: IpFields, payload: Uint8Array): Uint8Array {
  const source = parseAddress(fields.source)!;
  const destination = parseAddress(fields.destination)!;
  if (source.length === 4) {
    const header = Buffer.alloc(20);
    header[0] = 0x45;
    header.writeUInt16BE(fields.totalBytes ?? 20 + payload.length, 2);
    header.writeUInt16BE(fields.identification ?? 0, 4);
    header.writeUInt16BE(fields.fragment ?? 0, 6);
    header[8] = 64;
    header[9] = fields.protocol;
    header.set(source, 12);
    header.set(destination, 16);
    return joinBytes(header, payload);
  }
  const header = Buffer.alloc(40);
  header[0] = 0x60;
  header.writeUInt16BE(payload.length, 4);
  header[6] = fields.protocol;
  header[7] = 64;
  header.set(source, 8);
  header.set(destination, 24);
  return joinBytes(header, payload);
}

export function tcpPacket(fields: TcpFields): Uint8Array {
  return ipBytes({ source: fields.source, destination: fields.destination, protocol: 6 }, tcpBytes(fields));
}

const macAddresses = Uint8Array.of(2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2);

export function etherTypeOf(ip: Uint8Array): number {
  return ip[0]! >> 4 === 6 ? 0x86dd : 0x0800;
}

function uint16(...values: number[]): Uint8Array {
  return Uint8Array.from(values.flatMap((value) => [value >> 8, value & 0xff]));
}

/** Puts an IP packet into a frame of each link type. Names are those of the tests. */
export const frames: Record<string, { linkType: number; wrap: (ip: Uint8Array) => Uint8Array }> = {
  ethernet: { linkType: 1, wrap: (ip) => joinBytes(macAddresses, uint16(etherTypeOf(ip)), ip) },
  vlan: { linkType: 1, wrap: (ip) => joinBytes(macAddresses, uint16(0x8100, 7, etherTypeOf(ip)), ip) },
  qinq: { linkType: 1, wrap: (ip) => joinBytes(macAddresses, uint16(0x88a8, 7, 0x8100, 9, etherTypeOf(ip)), ip) },
  cooked: { linkType: 113, wrap: (ip) => joinBytes(uint16(0, 1, 6, 0, 0, 0, 0, etherTypeOf(ip)), ip) },
  cooked2: { linkType: 276, wrap: (ip) => joinBytes(uint16(etherTypeOf(ip), 0, 0, 1, 1, 6, 0, 0, 0, 0), ip) },
  raw: { linkType: 101, wrap: (ip) => ip },
  ppp: {
    linkType: 9,
    wrap: (ip) => joinBytes(Uint8Array.of(0xff, 0x03, 0x00, etherTypeOf(ip) === 0x0800 ? 0x21 : 0x57), ip),
  },
  null: { linkType: 0, wrap: (ip) => joinBytes(Uint8Array.of(etherTypeOf(ip) === 0x0800 ? 2 : 30, 0, 0, 0), ip) },
  loop: { linkType: 108, wrap: (ip) => joinBytes(Uint8Array.of(0, 0, 0, etherTypeOf(ip) === 0x0800 ? 2 : 24), ip) },
};
