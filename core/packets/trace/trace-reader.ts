import { AppError } from '../../app-error.ts';
import type { PacketListener } from './packet-record.ts';
import { PcapFormat, pcapVariants } from './pcap-format.ts';
import { PcapngFormat, sectionHeaderType } from './pcapng-format.ts';
import { dropPseudoHeader } from './pseudo-header.ts';
import { type Chunk, type TraceFormat, viewChunk } from './trace-format.ts';

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
