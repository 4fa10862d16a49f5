import { AppError } from '../../app-error.ts';
import { makePacketRecord, type PacketListener } from './packet-record.ts';

const fileHeaderBytes = 24;
const packetHeaderBytes = 16;
const modifiedPacketHeaderBytes = 24;
/** Of the field that has the link type. The bit says whether the four highest have the length of a frame check sequence, in units of two bytes. */
const linkTypeMask = 0x03ff_ffff;
const checkLengthBit = 0x0400_0000;

/** `isModified`: Kuznetzov's, which has eight more bytes before each packet: interface, protocol, direction. */
export type PcapVariant = { littleEndian: boolean; timeDigits: 6 | 9; isModified?: true };

/** By the first four bytes, read as big-endian. */
export const pcapVariants: ReadonlyMap<number, PcapVariant> = new Map([
  [0xa1b2c3d4, { littleEndian: false, timeDigits: 6 }],
  [0xd4c3b2a1, { littleEndian: true, timeDigits: 6 }],
  [0xa1b2cd34, { littleEndian: false, timeDigits: 6, isModified: true }],
  [0x34cdb2a1, { littleEndian: true, timeDigits: 6, isModified: true }],
  [0xa1b23c4d, { littleEndian: false, timeDigits: 9 }],
  [0x4d3cb2a1, { littleEndian: true, timeDigits: 9 }],
]);

/** libpcap's own format. draft-ietf-opsawg-pcap */
export class PcapFormat implements TraceFormat {
  readonly #littleEndian: boolean;
  readonly #nanosecondsPerUnit: number;
  readonly #packetHeaderBytes: number;
  readonly #listener: PacketListener;
  readonly #record = makePacketRecord();
  #hasHeader = false;

  constructor({ littleEndian, timeDigits, isModified }: PcapVariant, listener: PacketListener) {
    this.#littleEndian = littleEndian;
    this.#nanosecondsPerUnit = timeDigits === 9 ? 1 : 1000;
    this.#packetHeaderBytes = isModified ? modifiedPacketHeaderBytes : packetHeaderBytes;
    this.#listener = listener;
    this.#record.hasTime = true;
    this.#record.timeDigits = timeDigits;
  }

  measureUnit({ view }: Chunk, offset: number, availableBytes: number): number {
    if (!this.#hasHeader) return fileHeaderBytes;
    if (availableBytes < this.#packetHeaderBytes) return this.#packetHeaderBytes;
    const capturedBytes = view.getUint32(offset + 8, this.#littleEndian);
    if (capturedBytes > maximumPacketBytes) {
      throw new AppError(
        'corrupt-trace',
        `a packet claims to have ${capturedBytes} bytes; the limit is ${maximumPacketBytes}`,
      );
    }
    return this.#packetHeaderBytes + capturedBytes;
  }

  readUnit(chunk: Chunk, offset: number, unitBytes: number): void {
    if (this.#hasHeader) this.#readPacket(chunk, offset, unitBytes);
    else this.#readFileHeader(chunk, offset);
  }

  #readFileHeader({ view }: Chunk, offset: number): void {
    const version = `${view.getUint16(offset + 4, this.#littleEndian)}.${view.getUint16(offset + 6, this.#littleEndian)}`;
    // Before 2.3, both lengths of a packet stood the other way round in some files.
    if (version !== '2.4' && version !== '2.3')
      throw new AppError('not-a-trace', `is a pcap file of version ${version}; only 2.3 and 2.4 can be read`);
    const field = view.getUint32(offset + 20, this.#littleEndian);
    this.#record.linkType = field & linkTypeMask;
    this.#record.checkBytes = (field & checkLengthBit) === 0 ? 0 : 2 * (field >>> 28);
    this.#hasHeader = true;
  }

  #readPacket({ bytes, view }: Chunk, offset: number, unitBytes: number): void {
    const record = this.#record;
    const littleEndian = this.#littleEndian;
    record.bytes = bytes;
    record.start = offset + this.#packetHeaderBytes;
    record.epochSeconds = view.getUint32(offset, littleEndian);
    record.nanoseconds = view.getUint32(offset + 4, littleEndian) * this.#nanosecondsPerUnit;
    record.capturedBytes = unitBytes - this.#packetHeaderBytes;
    record.originalBytes = view.getUint32(offset + 12, littleEndian);
    if (record.nanoseconds >= 1e9)
      throw new AppError('corrupt-trace', 'the time of a packet has a fraction of one second or more');
    this.#listener(record);
  }
}

/** A stretch of a trace in memory, as bytes and as a view of the same bytes. */
export interface Chunk {
  bytes: Uint8Array;
  view: DataView;
}

export function viewChunk(bytes: Uint8Array): Chunk {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

/** A trace is a sequence of units: a header, a packet with its header, a block. */
export interface TraceFormat {
  /**
   * Bytes of the unit at `offset`. A number above `availableBytes` says how many must be there before it is asked again.
   * Throws `corrupt-trace` when no unit can begin like this.
   */
  measureUnit(chunk: Chunk, offset: number, availableBytes: number): number;
  /** Reads one whole unit. Throws `corrupt-trace`. */
  readUnit(chunk: Chunk, offset: number, unitBytes: number): void;
}

/** The largest packet that a trace may hold, as in libpcap (MAXIMUM_SNAPLEN) and Wireshark: beyond it a length is taken for damage. */
export const maximumPacketBytes = 262_144;
