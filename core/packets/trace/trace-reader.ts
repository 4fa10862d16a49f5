import { AppError } from '../../app-error.ts';
import type { PacketListener, PacketRecord } from './packet-record.ts';
import { PcapFormat, pcapVariants, viewChunk, type Chunk, type TraceFormat } from './pcap-format.ts';
import { PcapngFormat, sectionHeaderType } from './pcapng-format.ts';

/** How a trace ended: whole, or why and after how many bytes nothing more could be read. */
export type TraceEnd = { kind: 'whole' } | { kind: 'truncated' | 'corrupt'; readToBytes: number; problem: string };

/**
 * Reads a trace, pcap or pcapng, from chunks of any size, and calls the listener for every packet. At damage it stops: what was
 * read before stays good. Throws `not-a-trace` when the first bytes are those of something else.
 */
export class TraceReader {
  readonly #splitter: UnitSplitter;
  #damage: TraceEnd | null = null;

  constructor(listener: PacketListener) {
    const listenToPacket: PacketListener = (record) => {
      dropPseudoHeader(record);
      listener(record);
    };
    this.#splitter = new UnitSplitter(new DetectedFormat(listenToPacket));
  }

  push(bytes: Uint8Array): void {
    if (this.#damage !== null) return;
    try {
      this.#splitter.push(bytes);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'corrupt-trace') throw error;
      const readToBytes = this.#splitter.readBytes;
      if (readToBytes === 0) throw new AppError('not-a-trace', `is not a trace: ${error.message}`, { cause: error });
      this.#damage = { kind: 'corrupt', readToBytes, problem: error.message };
    }
  }

  /** To be called after the last chunk. */
  end(): TraceEnd {
    if (this.#damage !== null) return this.#damage;
    const readToBytes = this.#splitter.readBytes;
    if (readToBytes === 0)
      throw new AppError('not-a-trace', 'is not a trace: it ends before the end of a trace header');
    return this.#splitter.hasPart
      ? { kind: 'truncated', readToBytes, problem: 'it ends in the middle of a packet or block' }
      : { kind: 'whole' };
  }
}

/** The format that the first four bytes show. */
class DetectedFormat implements TraceFormat {
  readonly #listener: PacketListener;
  #format: TraceFormat | null = null;

  constructor(listener: PacketListener) {
    this.#listener = listener;
  }

  measureUnit(chunk: Chunk, offset: number, availableBytes: number): number {
    if (availableBytes < 4) return 4;
    this.#format ??= detectFormat(chunk.view.getUint32(offset), this.#listener);
    return this.#format.measureUnit(chunk, offset, availableBytes);
  }

  readUnit(chunk: Chunk, offset: number, unitBytes: number): void {
    this.#format!.readUnit(chunk, offset, unitBytes);
  }
}

function detectFormat(magic: number, listener: PacketListener): TraceFormat {
  if (magic === sectionHeaderType) return new PcapngFormat(listener);
  const variant = pcapVariants.get(magic);
  if (variant !== undefined) return new PcapFormat(variant, listener);
  throw new AppError(
    'not-a-trace',
    `is not a trace: it begins with ${magic.toString(16).padStart(8, '0')}, unlike pcap and pcapng`,
  );
}

/**
 * Cuts chunks of any size into the units of a trace. Units within a chunk are read where they lie; only what lies across
 * the border of two chunks is copied.
 */
class UnitSplitter {
  readonly #format: TraceFormat;
  #part: Chunk = viewChunk(new Uint8Array(256));
  #partBytes = 0;
  /** Bytes of the trace up to the end of the last whole unit. */
  readBytes = 0;

  constructor(format: TraceFormat) {
    this.#format = format;
  }

  get hasPart(): boolean {
    return this.#partBytes > 0;
  }

  push(bytes: Uint8Array): void {
    let offset = this.#completePart(bytes);
    const chunk = viewChunk(bytes);
    while (offset < bytes.length) {
      const availableBytes = bytes.length - offset;
      const unitBytes = this.#format.measureUnit(chunk, offset, availableBytes);
      if (unitBytes > availableBytes) break;
      this.#format.readUnit(chunk, offset, unitBytes);
      this.readBytes += unitBytes;
      offset += unitBytes;
    }
    this.#appendPart(bytes.subarray(offset));
  }

  /** Fills up the unit that began in an earlier chunk, with no more than it needs. Returns how many bytes that took. */
  #completePart(bytes: Uint8Array): number {
    let takenBytes = 0;
    while (this.#partBytes > 0) {
      const unitBytes = this.#format.measureUnit(this.#part, 0, this.#partBytes);
      if (unitBytes <= this.#partBytes) {
        this.#format.readUnit(this.#part, 0, unitBytes);
        this.readBytes += unitBytes;
        this.#partBytes = 0;
      } else if (takenBytes === bytes.length) {
        break;
      } else {
        const wantedBytes = Math.min(unitBytes - this.#partBytes, bytes.length - takenBytes);
        this.#appendPart(bytes.subarray(takenBytes, takenBytes + wantedBytes));
        takenBytes += wantedBytes;
      }
    }
    return takenBytes;
  }

  #appendPart(bytes: Uint8Array): void {
    const neededBytes = this.#partBytes + bytes.length;
    if (neededBytes > this.#part.bytes.length) {
      const larger = viewChunk(new Uint8Array(2 * neededBytes));
      larger.bytes.set(this.#part.bytes.subarray(0, this.#partBytes));
      this.#part = larger;
    }
    this.#part.bytes.set(bytes, this.#partBytes);
    this.#partBytes = neededBytes;
  }
}

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
function dropPseudoHeader(record: PacketRecord): void {
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
