import { readInt32, readUint16 } from './byte-order.ts';
import type { PacketRecord } from '../trace/packet-record.ts';
import { protocols, type DecodedPacket } from './decoded-packet.ts';

/** The link types that are decoded. https://www.tcpdump.org/linktypes.html */
const linkTypes = {
  null: 0,
  ethernet: 1,
  ppp: 9,
  /** Raw IP as some systems number it in files: 12, and OpenBSD 14. */
  rawDlt: 12,
  rawOpenBsd: 14,
  raw: 101,
  loop: 108,
  linuxCooked: 113,
  pppWithDirection: 204,
  ipv4: 228,
  ipv6: 229,
  linuxCookedV2: 276,
} as const;

const names = new Map<number, string>([
  [linkTypes.null, 'BSD loopback'],
  [linkTypes.ethernet, 'Ethernet'],
  [linkTypes.ppp, 'PPP'],
  [linkTypes.rawDlt, 'raw IP'],
  [linkTypes.rawOpenBsd, 'raw IP'],
  [linkTypes.raw, 'raw IP'],
  [linkTypes.loop, 'OpenBSD loopback'],
  [linkTypes.linuxCooked, 'Linux cooked v1'],
  [linkTypes.pppWithDirection, 'PPP with direction'],
  [linkTypes.ipv4, 'raw IPv4'],
  [linkTypes.ipv6, 'raw IPv6'],
  [linkTypes.linuxCookedV2, 'Linux cooked v2'],
]);

const fixedHeaderBytes = 20;
const moreFragmentsAndOffset = 0x3fff;

const pppAddressAndControl = 0xff03;
const pppProtocols = { ipv4: 0x21, ipv6: 0x57 } as const;
const etherTypes = { ipv4: 0x0800, ipv6: 0x86dd } as const;
/** A number up to here is none of an EtherType, but a length (IEEE 802.3), or here an address family. */
const longestLength = 1500;
/** The first byte of the least EtherType. */
const smallestEtherTypeByte = 0x06;
/** 802.1Q, 802.1ad (QinQ), and the number that switches used for QinQ before. */
const vlanTypes: readonly number[] = [0x8100, 0x88a8, 0x9100];

/** Fills `packet` with what the headers of the record say. */
export function decodePacket(record: PacketRecord, packet: DecodedPacket): void {
  decodeLink(record, packet);
  // A packet that is there to its end is too short by itself.
  if (packet.outcome === 'cut' && packet.capturedEnd >= packet.wireEnd) packet.outcome = 'malformed';
}

function decodeLink(record: PacketRecord, packet: DecodedPacket): void {
  packet.outcome = 'other';
  packet.etherType = 0;
  packet.ipVersion = 0;
  packet.hasAddresses = false;
  packet.protocol = 0;
  packet.capturedEnd = record.start + record.capturedBytes;
  packet.wireEnd = record.start + Math.max(record.originalBytes, record.capturedBytes);
  switch (record.linkType) {
    case linkTypes.ethernet:
      packet.wireEnd -= record.checkBytes;
      return decodeEtherType(record, packet, record.start + 12);
    case linkTypes.linuxCooked:
      return decodeEtherType(record, packet, record.start + 14);
    case linkTypes.linuxCookedV2:
      return decodeAfter(record, packet, { typeOffset: record.start, ipOffset: record.start + 20 });
    case linkTypes.ppp:
    case linkTypes.pppWithDirection:
      return decodePpp(record, packet);
    case linkTypes.null:
      return decodeLoopback(record, packet, { mayHaveEtherType: true });
    case linkTypes.loop:
      return decodeLoopback(record, packet, { mayHaveEtherType: false });
    case linkTypes.raw:
    case linkTypes.rawDlt:
    case linkTypes.rawOpenBsd:
    case linkTypes.ipv4:
    case linkTypes.ipv6:
      return decodeRawIp(record, packet, record.start);
    default:
      packet.outcome = 'unknown-link-type';
  }
}

/** The type field is right before what it names, VLAN tags between. */
function decodeEtherType(record: PacketRecord, packet: DecodedPacket, typeOffset: number): void {
  let offset = typeOffset;
  while (offset + 2 <= packet.capturedEnd && vlanTypes.includes(readUint16(record.bytes, offset))) offset += 4;
  decodeAfter(record, packet, { typeOffset: offset, ipOffset: offset + 2 });
}

function decodeAfter(
  record: PacketRecord,
  packet: DecodedPacket,
  { typeOffset, ipOffset }: { typeOffset: number; ipOffset: number },
): void {
  if (typeOffset + 2 > packet.capturedEnd) {
    packet.outcome = 'cut';
    return;
  }
  decodeTyped(record, packet, { type: readUint16(record.bytes, typeOffset), ipOffset });
}

function decodeTyped(
  record: PacketRecord,
  packet: DecodedPacket,
  { type, ipOffset }: { type: number; ipOffset: number },
): void {
  packet.etherType = type;
  if (vlanTypes.includes(type)) return decodeEtherType(record, packet, ipOffset + 2);
  if (type === etherTypes.ipv4) decodeIpv4(record, packet, ipOffset);
  else if (type === etherTypes.ipv6) decodeIpv6(record, packet, ipOffset);
}

/** The address family in four bytes. What old programs wrote under the same number is read too: an EtherType, and PPP. */
function decodeLoopback(
  record: PacketRecord,
  packet: DecodedPacket,
  { mayHaveEtherType }: { mayHaveEtherType: boolean },
): void {
  const { bytes, start } = record;
  if (mayHaveEtherType && start + 2 <= packet.capturedEnd && readUint16(bytes, start) === pppAddressAndControl)
    return decodePpp(record, packet);
  if (start + 4 > packet.capturedEnd) {
    packet.outcome = 'cut';
    return;
  }
  const family = readFamily(bytes, start);
  if (mayHaveEtherType && family > longestLength)
    return decodeTyped(record, packet, { type: family & 0xffff, ipOffset: start + 4 });
  // AF_INET is 2 everywhere; AF_INET6 is 24 on NetBSD and OpenBSD, 28 on FreeBSD, 30 on macOS. Linux, where it is 10, writes no such frames.
  if (family === 2) decodeIpv4(record, packet, start + 4);
  else if (family === 24 || family === 28 || family === 30) decodeIpv6(record, packet, start + 4);
}

/** In the byte order of the machine that captured (null) or of the network (loop): the order that gives the small number is right. IRIX has 16 bits in that of the network, then 16 of 0. */
function readFamily(bytes: Uint8Array, start: number): number {
  if (bytes[start] !== 0) return bytes[start]! | (bytes[start + 1]! << 8);
  const isShort = bytes[start + 1] !== 0;
  if (isShort && bytes[start + 1]! < smallestEtherTypeByte) return bytes[start + 1]!;
  return isShort ? bytes[start + 1]! << 8 : readInt32(bytes, start);
}

/** PPP with or without its address and control (RFC 1662), its protocol in one byte or two (RFC 1661, 6.5). */
function decodePpp(record: PacketRecord, packet: DecodedPacket): void {
  const { bytes, start } = record;
  const hasAddress = start + 2 <= packet.capturedEnd && readUint16(bytes, start) === pppAddressAndControl;
  const offset = hasAddress ? start + 2 : start;
  // All protocols are odd in their last byte, and even in the first of two.
  const isShort = offset < packet.capturedEnd && (bytes[offset]! & 1) === 1;
  const ipOffset = offset + (isShort ? 1 : 2);
  if (ipOffset > packet.capturedEnd) {
    packet.outcome = 'cut';
    return;
  }
  const protocol = isShort ? bytes[offset]! : readUint16(bytes, offset);
  if (protocol === pppProtocols.ipv4) decodeIpv4(record, packet, ipOffset);
  else if (protocol === pppProtocols.ipv6) decodeIpv6(record, packet, ipOffset);
}

function decodeRawIp(record: PacketRecord, packet: DecodedPacket, offset: number): void {
  if (offset >= packet.capturedEnd) {
    packet.outcome = 'cut';
    return;
  }
  const version = record.bytes[offset]! >> 4;
  if (version === 4) decodeIpv4(record, packet, offset);
  else if (version === 6) decodeIpv6(record, packet, offset);
}

/** RFC 791. A total length of 0 comes from a card that does the segmentation (TSO): then all of the frame counts. */
function decodeIpv4(record: PacketRecord, packet: DecodedPacket, offset: number): void {
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

/** What carries packets that are not looked into: by EtherType, and by the protocol of IP. */
const linkCarriers: ReadonlyMap<number, string> = new Map([
  [0x8847, 'MPLS'],
  [0x8848, 'MPLS'],
  [0x8864, 'PPPoE'],
]);
const ipCarriers: ReadonlyMap<number, string> = new Map([
  [4, 'IP in IP'],
  [41, 'IPv6 in IP'],
  [47, 'GRE'],
]);
const vxlanPort = 4789;

/** In what a packet carries another one that is not looked into; null of any other packet. */
export function findCarrier(bytes: Uint8Array, packet: DecodedPacket): string | null {
  const { outcome, protocol, transportOffset, capturedEnd } = packet;
  if (outcome === 'other') return linkCarriers.get(packet.etherType) ?? null;
  if (outcome !== 'transport') return null;
  if (protocol !== protocols.udp) return ipCarriers.get(protocol) ?? null;
  return transportOffset + 4 <= capturedEnd && readUint16(bytes, transportOffset + 2) === vxlanPort ? 'VXLAN' : null;
}

export function isDecoded(linkType: number): boolean {
  return names.has(linkType);
}

export function nameLinkType(linkType: number): string {
  return names.get(linkType) ?? `link type ${linkType}`;
}

const ipv6HeaderBytes = 40;
const nextHeaders = { fragment: 44, authentication: 51 } as const;
/** Headers whose length is their second byte, in units of 8 bytes beyond the first: hop-by-hop, routing, destination, mobility, HIP, shim6. */
const sizedHeaders: readonly number[] = [0, 43, 60, 135, 139, 140];

/** RFC 8200, with its extension headers. A payload length of 0 is a jumbogram or comes from TSO: then all of the frame counts. */
function decodeIpv6(record: PacketRecord, packet: DecodedPacket, offset: number): void {
  const { bytes } = record;
  packet.ipVersion = 6;
  packet.outcome = 'cut';
  if (offset + ipv6HeaderBytes > packet.capturedEnd) return;
  if (bytes[offset]! >> 4 !== 6) {
    packet.outcome = 'malformed';
    return;
  }
  packet.hasAddresses = true;
  packet.sourceOffset = offset + 8;
  packet.destinationOffset = offset + 24;
  const frameBytes = packet.wireEnd - offset - ipv6HeaderBytes;
  const payloadBytes = Math.min(readUint16(bytes, offset + 4) || frameBytes, frameBytes);
  const end = offset + ipv6HeaderBytes + payloadBytes;

  let header = bytes[offset + 6]!;
  let position = offset + ipv6HeaderBytes;
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
