import { AppError } from '../../app-error.ts';
import type { PacketListener } from './packet-record.ts';
import { PcapFormat, pcapVariants } from './pcap-format.ts';
import { PcapngFormat, sectionHeaderType } from './pcapng-format.ts';
import { dropPseudoHeader } from './pseudo-header.ts';
import type { Chunk, TraceFormat } from './trace-format.ts';
import { UnitSplitter } from './unit-splitter.ts';

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
