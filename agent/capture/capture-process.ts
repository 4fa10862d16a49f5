import { createRequire } from 'node:module';
import { CaptureProcessOptionsSchema, type CaptureReport } from './capture-messages.ts';
import { drainCapture } from './drain-capture.ts';
import { TraceWriter } from './trace-writer.ts';

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

main();
