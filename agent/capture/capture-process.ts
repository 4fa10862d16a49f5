import { createRequire } from 'node:module';
import { CaptureProcessOptionsSchema, type CaptureReport } from './capture-messages.ts';
import { drainCapture } from './drain-capture.ts';
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

/** The part of node-pcap that is used. `createSession` hides the buffer's size and the mode of delivery. */
interface PcapModule {
  warningHandler: (warning: string) => void;
  PcapSession: new (
    isLive: boolean,
    device: string,
    filter: string,
    bufferBytes: number,
    snapBytes: number,
    dumpFile: null,
    isMonitor: boolean,
    bufferTimeoutMs: number,
    isPromiscuous: boolean,
  ) => PcapSession;
}

interface PcapSession {
  link_type: string;
  on(event: 'packet', listener: (packet: { buf: Buffer; header: Buffer }) => void): void;
  stats(): { ps_recv: number; ps_drop: number; ps_ifdrop: number };
}

/** How long packets may be on their way from the kernel, which hands them over in blocks. */
const bufferTimeoutMs = 10;

/**
 * A capture as a process of its own. It writes a trace to standard output until `stop` comes, or the process that started it is gone.
 * The session is never closed: on a quiet interface that waits for a packet that may not come, and the end of the process closes all.
 */
function main(): void {
  const options = CaptureProcessOptionsSchema.parse(JSON.parse(process.argv[2]!));
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches every process of the terminal; the Agent decides when the capture ends.
  process.on('SIGINT', () => undefined);
  let session: PcapSession;
  let writer: TraceWriter;
  try {
    const pcap = createRequire(import.meta.url)('pcap') as PcapModule;
    pcap.warningHandler = () => undefined; // that the interface has no IPv4 address
    session = new pcap.PcapSession(
      true,
      options.interface,
      options.filter,
      options.bufferBytes,
      options.snapBytes,
      null,
      false,
      bufferTimeoutMs,
      false,
    );
    writer = new TraceWriter(1, { linkTypeName: session.link_type, snapBytes: options.snapBytes });
  } catch (error) {
    report({ kind: 'failed', problem: (error as Error).message.split('\n')[0]! }, () => process.exit(1));
    return;
  }
  let taken = 0;
  session.on('packet', ({ buf, header }) => {
    taken++;
    writer.add(header, buf);
  });
  const look = () => {
    const { ps_recv: received, ps_drop: dropped } = session.stats();
    return { taken, kept: received - dropped };
  };
  process.once('message', () => {
    void drainCapture(look).then(() => {
      writer.flush();
      const { ps_recv: receivedPackets, ps_drop: droppedByKernel, ps_ifdrop: droppedByInterface } = session.stats();
      report({ kind: 'stopped', receivedPackets, droppedByKernel, droppedByInterface }, () => process.exit(0));
    });
  });
  report({ kind: 'ready' });
}

function report(message: CaptureReport, then?: () => void): void {
  process.send!(message, undefined, undefined, then);
}

/** Writes packets, as node-pcap hands them over, to a descriptor as a pcap trace with microseconds; several at a time. */
class TraceWriter {
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

main();
