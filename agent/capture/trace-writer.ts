import { writeSync } from 'node:fs';
import { setImmediate } from 'node:timers';

/** The numbers of the link types that node-pcap can name. */
const linkTypes: Readonly<Record<string, number>> = {
  LINKTYPE_NULL: 0,
  LINKTYPE_ETHERNET: 1,
  LINKTYPE_RAW: 101,
  LINKTYPE_LINUX_SLL: 113,
  LINKTYPE_IEEE802_11_RADIO: 127,
};

const capturedBytesOffset = 8;
const batchBytes = 256 * 1024;

/** Writes packets, as node-pcap hands them over, to a descriptor as a pcap trace with microseconds; several at a time. */
export class TraceWriter {
  readonly #descriptor: number;
  readonly #batch: Buffer;
  #batchedBytes = 0;
  #isFlushPlanned = false;

  /** Throws for a link type that it cannot name. */
  constructor(descriptor: number, { linkTypeName, snapBytes }: { linkTypeName: string; snapBytes: number }) {
    const linkType = linkTypes[linkTypeName];
    if (linkType === undefined) throw new Error(`${linkTypeName} cannot be written to a trace`);
    this.#descriptor = descriptor;
    this.#batch = Buffer.alloc(batchBytes + snapBytes);
    const header = new Uint32Array([0xa1b2c3d4, 0x0004_0002, 0, 0, snapBytes, linkType]);
    this.#append(Buffer.from(header.buffer));
    this.flush();
  }

  /** The header is that of libpcap, 16 bytes in the machine's byte order, which is also how the trace is written. Both buffers are copied. */
  add(header: Buffer, packet: Buffer): void {
    this.#append(header);
    this.#append(packet.subarray(0, new Uint32Array(header.buffer, header.byteOffset, 4)[capturedBytesOffset / 4]));
    if (this.#batchedBytes >= batchBytes) this.flush();
    else if (!this.#isFlushPlanned) {
      this.#isFlushPlanned = true;
      setImmediate(() => this.flush());
    }
  }

  flush(): void {
    this.#isFlushPlanned = false;
    let offset = 0;
    while (offset < this.#batchedBytes)
      offset += writeSync(this.#descriptor, this.#batch, offset, this.#batchedBytes - offset);
    this.#batchedBytes = 0;
  }

  #append(bytes: Buffer): void {
    bytes.copy(this.#batch, this.#batchedBytes);
    this.#batchedBytes += bytes.length;
  }
}
