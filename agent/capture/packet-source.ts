import type { Readable } from 'node:stream';

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
