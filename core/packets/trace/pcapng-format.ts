import { AppError } from '../../app-error.ts';
import { makePacketRecord, type PacketListener } from './packet-record.ts';
import { readInterface, type PcapngInterface } from './pcapng-interface.ts';
import { setTime } from './pcapng-time.ts';
import { maximumPacketBytes, type Chunk, type TraceFormat } from './trace-format.ts';

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
        return this.#beginSection(view.getUint16(offset + 12, this.#littleEndian));
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

  #beginSection(majorVersion: number): void {
    if (majorVersion !== 1)
      throw new AppError('corrupt-trace', `a section has pcapng version ${majorVersion}; only 1 can be read`);
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
