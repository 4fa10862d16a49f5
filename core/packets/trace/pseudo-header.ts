import { AppError } from '../../app-error.ts';
import type { PacketRecord } from './packet-record.ts';

/**
 * Bytes that a capturing program put before each packet of a link type, and that were on no wire: direction, line, time.
 * https://www.tcpdump.org/linktypes.html. Such headers of the link types that are decoded, as of Linux cooked, count as `capinfos` counts them: as bytes.
 */
const pseudoHeaderBytes: ReadonlyMap<number, number> = new Map([
  [123, 4], // SunATM
  [139, 4], // MTP2 with line and direction
  [144, 16], // Linux IrDA
  [177, 16], // Linux LAPD
  [196, 5], // SITA
  [201, 4], // Bluetooth HCI H4 with direction
  [204, 1], // PPP with direction
  [209, 5], // Linux I2C
  [254, 4], // Bluetooth of Linux' monitor
]);

const erfLinkType = 197;
/** Of ERF: how long its headers are depends on the type of the record and on bits in them. */
const erf = { headerBytes: 16, typeOffset: 8, wireLengthOffset: 14, extensionBytes: 8 } as const;
const moreBit = 0x80;
/** Bytes between the headers and the packet, by the type of the record. */
const erfSubheaderBytes: ReadonlyMap<number, number> = new Map([
  ...[2, 11, 16, 20].map((type) => [type, 2] as const), // Ethernet
  ...[5, 6, 7, 8, 9, 12, 17].map((type) => [type, 4] as const), // several channels
  [18, 4], // AAL2
]);

/** Takes from a record what no wire carried. Throws `corrupt-trace` when the packet is shorter than that. */
export function dropPseudoHeader(record: PacketRecord): void {
  const fixedBytes = pseudoHeaderBytes.get(record.linkType);
  if (fixedBytes !== undefined) drop(record, fixedBytes, record.originalBytes - fixedBytes);
  else if (record.linkType === erfLinkType) dropErfHeaders(record);
}

function dropErfHeaders(record: PacketRecord): void {
  const { bytes, start, capturedBytes } = record;
  requireBytes(record, erf.headerBytes);
  const type = bytes[start + erf.typeOffset]!;
  let headerBytes: number = erf.headerBytes;
  let hasMore = (type & moreBit) !== 0;
  while (hasMore) {
    requireBytes(record, headerBytes + erf.extensionBytes);
    hasMore = (bytes[start + headerBytes]! & moreBit) !== 0;
    headerBytes += erf.extensionBytes;
  }
  headerBytes += erfSubheaderBytes.get(type & ~moreBit) ?? 0;
  const wireBytes = (bytes[start + erf.wireLengthOffset]! << 8) | bytes[start + erf.wireLengthOffset + 1]!;
  drop(record, headerBytes, wireBytes);
  // What was captured is padded to whole words.
  record.capturedBytes = Math.min(wireBytes, capturedBytes - headerBytes);
}

function drop(record: PacketRecord, headerBytes: number, originalBytes: number): void {
  requireBytes(record, headerBytes);
  record.start += headerBytes;
  record.capturedBytes -= headerBytes;
  record.originalBytes = Math.max(0, originalBytes);
}

function requireBytes({ linkType, capturedBytes }: PacketRecord, headerBytes: number): void {
  if (capturedBytes < headerBytes)
    throw new AppError(
      'corrupt-trace',
      `a packet of link type ${linkType} has ${capturedBytes} bytes, but its header alone takes ${headerBytes}`,
    );
}
