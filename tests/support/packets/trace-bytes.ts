import { joinBytes } from './packet-bytes.ts';

export interface TracePacket {
  epochNs: bigint;
  bytes: Uint8Array;
  /** Which of the trace's interfaces; by default 0. */
  interfaceIndex?: number;
  /** Its length on the wire, where that is not the length of its bytes. */
  wireBytes?: number;
}

export interface TraceShape {
  littleEndian: boolean;
  /** Decimal places of the second. */
  timeDigits: 6 | 9;
  linkTypes: number[];
  /** Beyond it, packets are cut. */
  snapBytes: number;
  /** pcap as Kuznetzov changed it: with interface, protocol and direction before each packet. */
  isModified?: boolean;
}

class Writer {
  readonly #parts: Uint8Array[] = [];
  readonly #littleEndian: boolean;

  constructor(littleEndian: boolean) {
    this.#littleEndian = littleEndian;
  }

  add16(value: number): this {
    const bytes = new Uint8Array(2);
    new DataView(bytes.buffer).setUint16(0, value, this.#littleEndian);
    return this.addBytes(bytes);
  }

  add32(...values: number[]): this {
    for (const value of values) {
      const bytes = new Uint8Array(4);
      new DataView(bytes.buffer).setUint32(0, value, this.#littleEndian);
      this.addBytes(bytes);
    }
    return this;
  }

  add64(value: bigint): this {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigInt64(0, value, this.#littleEndian);
    return this.addBytes(bytes);
  }

  addBytes(bytes: Uint8Array): this {
    this.#parts.push(bytes);
    return this;
  }

  addPadded(bytes: Uint8Array): this {
    return this.addBytes(bytes).addBytes(new Uint8Array((4 - (bytes.length % 4)) % 4));
  }

  finish(): Uint8Array {
    return new Uint8Array(Buffer.concat(this.#parts));
  }
}

export function pcapBytes(
  { littleEndian, timeDigits, linkTypes, snapBytes, isModified = false }: TraceShape,
  packets: TracePacket[],
): Uint8Array {
  const unitNs = 10n ** BigInt(9 - timeDigits);
  const writer = new Writer(littleEndian)
    .add32(isModified ? 0xa1b2cd34 : timeDigits === 9 ? 0xa1b23c4d : 0xa1b2c3d4)
    .add16(2)
    .add16(4)
    .add32(0, 0, snapBytes, linkTypes[0]!);
  for (const { epochNs, bytes, wireBytes = bytes.length } of packets) {
    const captured = bytes.subarray(0, snapBytes);
    writer.add32(
      Number(epochNs / 1_000_000_000n),
      Number((epochNs % 1_000_000_000n) / unitNs),
      captured.length,
      wireBytes,
    );
    if (isModified) writer.add32(2).add16(0x0800).add16(0);
    writer.addBytes(captured);
  }
  return writer.finish();
}

export interface PcapngShape extends TraceShape {
  /** The option if_tsresol as it is in the file, instead of the one for `timeDigits`. */
  timeResolution?: number;
  timeOffsetS?: bigint;
  /** The option if_name. */
  interfaceName?: string;
  /** The option if_fcslen. */
  checkBytes?: number;
  minorVersion?: number;
  /** All packets again in a second section of the other byte order. */
  isTwoSections?: boolean;
  /** Enhanced, simple or old packet blocks. */
  packetBlock?: 'enhanced' | 'simple' | 'old';
}

export function pcapngBytes(shape: PcapngShape, packets: TracePacket[]): Uint8Array {
  const section = sectionBytes(shape, packets);
  return shape.isTwoSections
    ? joinBytes(section, sectionBytes({ ...shape, littleEndian: !shape.littleEndian }, packets))
    : section;
}

function block(littleEndian: boolean, type: number, body: Uint8Array): Uint8Array {
  const totalBytes = 12 + body.length;
  return new Writer(littleEndian).add32(type, totalBytes).addBytes(body).add32(totalBytes).finish();
}

function sectionBytes(shape: PcapngShape, packets: TracePacket[]): Uint8Array {
  const {
    littleEndian,
    linkTypes,
    snapBytes,
    timeDigits,
    timeResolution = timeDigits,
    timeOffsetS = 0n,
    interfaceName,
    checkBytes,
    minorVersion = 0,
    packetBlock = 'enhanced',
  } = shape;
  const write = () => new Writer(littleEndian);
  const version = write().add32(0x1a2b3c4d).add16(1).add16(minorVersion);
  const blocks = [block(littleEndian, 0x0a0d0d0a, version.add64(-1n).finish())];
  for (const linkType of linkTypes) {
    const options = write();
    if (interfaceName !== undefined)
      options.add16(2).add16(interfaceName.length).addPadded(new TextEncoder().encode(interfaceName));
    options.add16(9).add16(1).addPadded(Uint8Array.of(timeResolution)).add16(14).add16(8).add64(timeOffsetS);
    if (checkBytes !== undefined) options.add16(13).add16(1).addPadded(Uint8Array.of(checkBytes));
    options.add16(0).add16(0);
    blocks.push(
      block(littleEndian, 1, write().add16(linkType).add16(0).add32(snapBytes).addBytes(options.finish()).finish()),
    );
  }
  // An interface statistics block and a custom one, which are to be passed over.
  blocks.push(block(littleEndian, 5, write().add32(0, 0, 0).finish()));
  const unitsPerSecond = timeResolution > 0x7f ? 2n ** BigInt(timeResolution & 0x7f) : 10n ** BigInt(timeResolution);
  for (const { epochNs, bytes, interfaceIndex = 0, wireBytes = bytes.length } of packets) {
    const captured = bytes.subarray(0, snapBytes === 0 ? bytes.length : snapBytes);
    const units = ((epochNs - timeOffsetS * 1_000_000_000n) * unitsPerSecond) / 1_000_000_000n;
    const time = [Number(units >> 32n), Number(units & 0xffff_ffffn)];
    if (packetBlock === 'simple')
      blocks.push(block(littleEndian, 3, write().add32(wireBytes).addPadded(captured).finish()));
    else if (packetBlock === 'old')
      blocks.push(
        block(
          littleEndian,
          2,
          write()
            .add16(interfaceIndex)
            .add16(0xffff)
            .add32(...time, captured.length, wireBytes)
            .addPadded(captured)
            .finish(),
        ),
      );
    else
      blocks.push(
        block(
          littleEndian,
          6,
          write()
            .add32(interfaceIndex, ...time, captured.length, wireBytes)
            .addPadded(captured)
            .finish(),
        ),
      );
  }
  return new Uint8Array(Buffer.concat(blocks));
}
