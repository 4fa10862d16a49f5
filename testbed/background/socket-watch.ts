import { runTool } from '../namespaces/run-tool.ts';
import { type FlowCounts, DelayHistogram } from './flow-messages.ts';

const readEveryMs = 500;

/** Asks the kernel now and then what it counted of the connections of a port: those that send by it, or to it. */
export class SocketWatch {
  readonly #filter: string[];
  readonly #roundTrips = new DelayHistogram();
  /** The last counts of each connection, also of those that are gone. */
  readonly #counts = new Map<string, { sentBytes: number; retransmittedBytes: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(side: 'sport' | 'dport', port: number) {
    this.#filter = [side, '=', `:${port}`];
  }

  /** `onError`: ss failed. */
  start(onError: (error: unknown) => void): void {
    this.#timer = setInterval(() => void this.#read().catch(onError), readEveryMs);
  }

  /** Reads the last time. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#read();
  }

  counts(): Pick<FlowCounts, 'sentBytes' | 'retransmittedBytes' | 'roundTrip'> {
    const all = [...this.#counts.values()];
    return {
      sentBytes: all.reduce((sum, { sentBytes }) => sum + sentBytes, 0),
      retransmittedBytes: all.reduce((sum, { retransmittedBytes }) => sum + retransmittedBytes, 0),
      roundTrip: this.#roundTrips.summarize(),
    };
  }

  async #read(): Promise<void> {
    const output = await runTool('ss', '--tcp', '--numeric', '--info', '--no-header', '--oneline', ...this.#filter);
    for (const { connection, roundTripMs, ...counts } of readSockets(output)) {
      this.#counts.set(connection, counts);
      // Before it sent anything, a connection has the round trip of its beginning alone.
      if (roundTripMs !== null && counts.sentBytes > 0) this.#roundTrips.add(roundTripMs);
    }
  }
}

/** What the kernel counted of one TCP connection. */
interface SocketCounts {
  /** Both of its ends. */
  connection: string;
  roundTripMs: number | null;
  sentBytes: number;
  retransmittedBytes: number;
}

/** Reads what `ss -tinOH` prints: a line for each connection. A figure that the kernel leaves out is 0. */
export function readSockets(output: string): SocketCounts[] {
  return output
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, , , local = '', peer = ''] = line.trim().split(/\s+/);
      const roundTrip = /(?<!\S)rtt:([\d.]+)/.exec(line)?.[1];
      return {
        connection: `${local} ${peer}`,
        roundTripMs: roundTrip === undefined ? null : Number(roundTrip),
        sentBytes: Number(/\bbytes_sent:(\d+)/.exec(line)?.[1] ?? 0),
        retransmittedBytes: Number(/\bbytes_retrans:(\d+)/.exec(line)?.[1] ?? 0),
      };
    });
}
