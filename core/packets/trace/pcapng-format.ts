import { AppError } from '../../app-error.ts';
import { makePacketRecord, type PacketListener, type PacketRecord } from './packet-record.ts';
import { maximumPacketBytes, type Chunk, type TraceFormat } from './pcap-format.ts';

/** As far as a JavaScript date goes: 273,790 years. An offset of 64 bits goes further than whole numbers of a double. */
const latestEpochSeconds = 8.64e12;

/** How an interface of a pcapng section counts time. */
interface TimeScale {
  unitsPerSecond: bigint;
  /** Decimal places of the second that it can resolve, at most 9. */
  digits: number;
  offsetSeconds: number;
}

interface PcapngInterface {
  linkType: number;
  /** Zero: no limit. */
  snapBytes: number;
  /** Of the frame check sequence that each packet ends with. */
  checkBytes: number;
  time: TimeScale;
}

const optionCodes = { end: 0, timeResolution: 9, checkLength: 13, timeOffset: 14 } as const;

export const sectionHeaderType = 0x0a0d0d0a;
const byteOrderMagic = 0x1a2b3c4d;
/** Types and smallest sizes of the blocks that are read; all others are passed over. */
const blocks = { interface: 1, oldPacket: 2, simplePacket: 3, enhancedPacket: 6 } as const;
const smallestBytes: ReadonlyMap<number, number> = new Map<number, number>([
  [sectionHeaderType, 28],
  [blocks.interface, 20],
  [blocks.oldPacket, 32],
  [blocks.simplePacket, 16],
  [blocks.enhancedPacket, 32],
]);
/** Wireshark's own limit. */
const maximumBlockBytes = 16 * 1024 * 1024;

/** pcapng: sections of either byte order, each with its own interfaces. draft-ietf-opsawg-pcapng */
export class PcapngFormat implements TraceFormat {
  #littleEndian = false;
  #interfaces: PcapngInterface[] = [];
  readonly #record = makePacketRecord();
  readonly #listener: PacketListener;

  constructor(listener: PacketListener) {
    this.#listener = listener;
  }

  measureUnit({ view }: Chunk, offset: number, availableBytes: number): number {
    if (availableBytes < 12) return 12;
    // The type of a section's header reads the same in both byte orders; the magic after the length shows its order.
    const isSection = view.getUint32(offset) === sectionHeaderType;
    if (isSection) this.#littleEndian = readByteOrder(view, offset);
    const blockBytes = view.getUint32(offset + 4, this.#littleEndian);
    const type = view.getUint32(offset, this.#littleEndian);
    if (blockBytes % 4 !== 0 || blockBytes < (smallestBytes.get(type) ?? 12) || blockBytes > maximumBlockBytes) {
      throw new AppError('corrupt-trace', `a block of type ${type} claims to be ${blockBytes} bytes long`);
    }
    return blockBytes;
  }

  readUnit(chunk: Chunk, offset: number, unitBytes: number): void {
    const { view } = chunk;
    if (view.getUint32(offset + unitBytes - 4, this.#littleEndian) !== unitBytes)
      throw new AppError('corrupt-trace', 'the two lengths of a block differ');
    switch (view.getUint32(offset, this.#littleEndian)) {
      case sectionHeaderType:
        return this.#beginSection({
          major: view.getUint16(offset + 12, this.#littleEndian),
          minor: view.getUint16(offset + 14, this.#littleEndian),
        });
      case blocks.interface:
        this.#interfaces.push(
          readInterface(new DataView(view.buffer, view.byteOffset + offset + 8, unitBytes - 12), this.#littleEndian),
        );
        return;
      case blocks.enhancedPacket:
        return this.#readPacket(chunk, offset, {
          unitBytes,
          interfaceIndex: view.getUint32(offset + 8, this.#littleEndian),
        });
      case blocks.oldPacket:
        return this.#readPacket(chunk, offset, {
          unitBytes,
          interfaceIndex: view.getUint16(offset + 8, this.#littleEndian),
        });
      case blocks.simplePacket:
        return this.#readSimplePacket(chunk, offset, unitBytes);
    }
  }

  /** Some programs write 1.2, which is 1.0 to all readers. Any other minor version may have other blocks under the same numbers. */
  #beginSection({ major, minor }: { major: number; minor: number }): void {
    if (major !== 1 || (minor !== 0 && minor !== 2))
      throw new AppError(
        'corrupt-trace',
        `a section has pcapng version ${major}.${minor}; only 1.0 and 1.2 can be read`,
      );
    this.#interfaces = [];
  }

  #readPacket(
    chunk: Chunk,
    offset: number,
    { unitBytes, interfaceIndex }: { unitBytes: number; interfaceIndex: number },
  ): void {
    const { view } = chunk;
    const littleEndian = this.#littleEndian;
    const record = this.#record;
    const { time } = this.#findInterface(interfaceIndex);
    record.hasTime = true;
    setTime(record, time, {
      high: view.getUint32(offset + 12, littleEndian),
      low: view.getUint32(offset + 16, littleEndian),
    });
    record.capturedBytes = view.getUint32(offset + 20, littleEndian);
    record.originalBytes = view.getUint32(offset + 24, littleEndian);
    this.#report(chunk.bytes, offset + 28, unitBytes - 32);
  }

  #readSimplePacket(chunk: Chunk, offset: number, unitBytes: number): void {
    const record = this.#record;
    const { snapBytes } = this.#findInterface(0);
    record.hasTime = false;
    record.originalBytes = chunk.view.getUint32(offset + 8, this.#littleEndian);
    record.capturedBytes = snapBytes === 0 ? record.originalBytes : Math.min(snapBytes, record.originalBytes);
    this.#report(chunk.bytes, offset + 12, unitBytes - 16);
  }

  #findInterface(index: number): PcapngInterface {
    const found = this.#interfaces[index];
    if (found === undefined)
      throw new AppError(
        'corrupt-trace',
        `a packet names interface ${index}, but its section has described only ${this.#interfaces.length}`,
      );
    this.#record.linkType = found.linkType;
    this.#record.checkBytes = found.checkBytes;
    return found;
  }

  #report(bytes: Uint8Array, start: number, roomBytes: number): void {
    const record = this.#record;
    if (record.capturedBytes > Math.min(roomBytes, maximumPacketBytes)) {
      throw new AppError(
        'corrupt-trace',
        `a packet claims to have ${record.capturedBytes} bytes, but its block has room for ${roomBytes}`,
      );
    }
    record.bytes = bytes;
    record.start = start;
    this.#listener(record);
  }
}

/** Whether the section that begins at `offset` is little-endian. */
function readByteOrder(view: DataView, offset: number): boolean {
  if (view.getUint32(offset + 8) === byteOrderMagic) return false;
  if (view.getUint32(offset + 8, true) === byteOrderMagic) return true;
  throw new AppError('corrupt-trace', 'the header of a section has no byte order');
}

/** The body of an Interface Description Block, options included. */
function readInterface(body: DataView, littleEndian: boolean): PcapngInterface {
  const time: TimeScale = { ...readTimeResolution(6), offsetSeconds: 0 };
  let checkBytes = 0;
  let offset = 8;
  while (offset + 4 <= body.byteLength) {
    const code = body.getUint16(offset, littleEndian);
    const valueBytes = body.getUint16(offset + 2, littleEndian);
    const valueOffset = offset + 4;
    if (valueOffset + valueBytes > body.byteLength)
      throw new AppError('corrupt-trace', 'an option of an interface is longer than its block');
    if (code === optionCodes.end) break;
    if (code === optionCodes.timeResolution && valueBytes === 1)
      Object.assign(time, readTimeResolution(body.getUint8(valueOffset)));
    if (code === optionCodes.checkLength && valueBytes === 1) checkBytes = readCheckBytes(body.getUint8(valueOffset));
    if (code === optionCodes.timeOffset && valueBytes === 8)
      time.offsetSeconds = Number(body.getBigInt64(valueOffset, littleEndian));
    offset = valueOffset + 4 * Math.ceil(valueBytes / 4);
  }
  return { linkType: body.getUint16(0, littleEndian), snapBytes: body.getUint32(4, littleEndian), checkBytes, time };
}

/** The value of the option `if_fcslen`: bits by its text, bytes by its example and in Wireshark. No check sequence has so few bits, or so many bytes. */
function readCheckBytes(value: number): number {
  return value < 8 ? value : Math.floor(value / 8);
}

/** The value of the option `if_tsresol`: the upper bit chooses powers of 2 over powers of 10. */
function readTimeResolution(value: number): Pick<TimeScale, 'unitsPerSecond' | 'digits'> {
  const exponent = value & 0x7f;
  const isBinary = value > 0x7f;
  if (exponent > (isBinary ? 63 : 19))
    throw new AppError(
      'corrupt-trace',
      `an interface counts time in units of ${isBinary ? 2 : 10}^-${exponent} s, which no 64-bit number can hold`,
    );
  return {
    unitsPerSecond: (isBinary ? 2n : 10n) ** BigInt(exponent),
    digits: Math.min(9, isBinary ? Math.floor(exponent * Math.log10(2)) : exponent),
  };
}

/** Sets the time of a record from a 64-bit count of units, rounded down to whole nanoseconds. */
function setTime(record: PacketRecord, scale: TimeScale, units: { high: number; low: number }): void {
  if (scale.unitsPerSecond === 1_000_000n) divideExactly(record, units, 1_000_000);
  else if (scale.unitsPerSecond === 1_000_000_000n) divideExactly(record, units, 1_000_000_000);
  else {
    const count = (BigInt(units.high) << 32n) | BigInt(units.low);
    record.epochSeconds = Number(count / scale.unitsPerSecond);
    record.nanoseconds = Number(((count % scale.unitsPerSecond) * 1_000_000_000n) / scale.unitsPerSecond);
  }
  record.epochSeconds += scale.offsetSeconds;
  if (Math.abs(record.epochSeconds) > latestEpochSeconds)
    throw new AppError('corrupt-trace', 'the time of a packet is further from 1970 than a date can be');
  record.timeDigits = scale.digits;
}

/**
 * Long division by digits of 16 bits: every step stays below 2^53, so that doubles are exact where the count itself,
 * nanoseconds since 1970, would lose its last digits.
 */
function divideExactly(
  record: PacketRecord,
  { high, low }: { high: number; low: number },
  unitsPerSecond: number,
): void {
  let quotient = 0;
  let remainder = 0;
  for (let digit = 0; digit < 4; digit++) {
    const word = digit < 2 ? high : low;
    const current = remainder * 65_536 + (digit % 2 === 0 ? word >>> 16 : word & 0xffff);
    const part = Math.floor(current / unitsPerSecond);
    quotient = quotient * 65_536 + part;
    remainder = current - part * unitsPerSecond;
  }
  record.epochSeconds = quotient;
  record.nanoseconds = remainder * (1e9 / unitsPerSecond);
}
