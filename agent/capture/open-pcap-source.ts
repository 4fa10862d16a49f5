import { fork } from 'node:child_process';
import { once } from 'node:events';
import { CaptureReportSchema, type CaptureReport } from './capture-messages.ts';
import type { Readable } from 'node:stream';

const program = new URL('capture-process.ts', import.meta.url);

/** Captures with node-pcap in a process of its own. Rejects when the addon is not there, or may not or cannot capture so. */
export async function openPcapSource(options: SourceOptions): Promise<PacketSource> {
  const child = fork(program, [JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  // Unlike `exit`, it comes after the last message.
  const gone = once(child, 'disconnect').then((): CaptureReport => ({
    kind: 'failed',
    problem: 'the capturing process ended by itself',
  }));
  const nextReport = () =>
    Promise.race([once(child, 'message').then(([message]) => CaptureReportSchema.parse(message)), gone]);

  const first = await nextReport();
  if (first.kind !== 'ready') {
    child.kill('SIGKILL');
    throw new Error(
      first.kind === 'failed' ? first.problem : `the capturing process reported "${first.kind}" before it was ready`,
    );
  }
  return {
    program: 'pcap',
    trace: child.stdout!,
    async stop() {
      const reported = nextReport();
      if (child.connected) child.send('stop');
      const report = await reported;
      if (report.kind !== 'stopped')
        throw new Error(report.kind === 'failed' ? report.problem : 'the capturing process did not stop');
      const { receivedPackets, droppedByKernel, droppedByInterface } = report;
      return { receivedPackets, droppedByKernel, droppedByInterface };
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  };
}

/** A process that captures and writes a pcap trace to its output. */
export interface PacketSource {
  program: 'pcap' | 'tcpdump';
  /** Ends with the process, after the last packet. */
  trace: Readable;
  /** Asks it to write what it still holds and end; the counters come when it has. Rejects when it ended without them. */
  stop(): Promise<CaptureCounters>;
  /** Ends it at once. */
  [Symbol.dispose](): void;
}

export interface CaptureCounters {
  /** Packets that the filter let through, dropped ones among them. */
  receivedPackets: number;
  /** They came faster than they could be taken. */
  droppedByKernel: number;
  droppedByInterface: number;
}

export interface SourceOptions {
  interface: string;
  filter: string;
  snapBytes: number;
  bufferBytes: number;
}
