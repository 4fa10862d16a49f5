import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Between two questions to the kernel. */
const leastGapMs = 900;
/** The kernel is asked about so many connections at most. */
const maxConnections = 64;
const answerMs = 2000;

/** A connection whose retransmissions the kernel is asked for. */
export interface WatchedConnection {
  /** Null where it is none of TCP. */
  readonly ports: Ports | null;
  /** Segments that the kernel has sent again since the connection was opened. */
  noteRetransmissions(total: number): void;
}

/** Asks the kernel, through `ss` of iproute2, how many segments it sent again: Node.js has no TCP_INFO. At most about once a second, and never where there is no `ss`. */
export class RetransmissionReader {
  #isAvailable = process.platform === 'linux';
  #askedMs = -Infinity;
  #asking: Promise<void> | null = null;

  /** Does not reject. */
  async refresh(connections: readonly WatchedConnection[]): Promise<void> {
    if (!this.#isAvailable) return;
    if (this.#asking === null && performance.now() - this.#askedMs >= leastGapMs) {
      this.#askedMs = performance.now();
      this.#asking = this.#ask(connections.slice(0, maxConnections)).finally(() => (this.#asking = null));
    }
    await this.#asking;
  }

  async #ask(connections: readonly WatchedConnection[]): Promise<void> {
    const watched = connections.flatMap((connection) =>
      connection.ports ? [{ connection, ports: connection.ports }] : [],
    );
    if (watched.length === 0) return;
    const filter = watched.map(({ ports }) => `( sport = :${ports.local} and dport = :${ports.remote} )`).join(' or ');
    try {
      const { stdout } = await execute('ss', ['-tinH', filter], { timeout: answerMs });
      const totals = parseRetransmissions(stdout);
      for (const { connection, ports } of watched) {
        const total = totals.get(portsKeyOf(ports));
        if (total !== undefined) connection.noteRetransmissions(total);
      }
    } catch (error) {
      // Without `ss` the counter is absent, as docs/httpep.md says. Of one that failed or took too long, the next answer has all, as totals only grow.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') this.#isAvailable = false;
    }
  }
}

/** Of a TCP connection, as this end sees it. */
export interface Ports {
  local: number;
  remote: number;
}

function portsKeyOf({ local, remote }: Ports): string {
  return `${local} ${remote}`;
}

/** Segments sent again, by the ports of each connection, from `ss -tinH`: a line for each, and one of details behind it. `retrans:a/b` has the total as b, and is missing at 0. */
export function parseRetransmissions(text: string): Map<string, number> {
  const totals = new Map<string, number>();
  let ports: Ports | null = null;
  for (const line of text.split('\n')) {
    if (!/^\s/.test(line)) {
      ports = readPorts(line);
      continue;
    }
    if (ports) totals.set(portsKeyOf(ports), Number(/\sretrans:\d+\/(\d+)/.exec(line)?.[1] ?? 0));
    ports = null;
  }
  return totals;
}

/** State, queues, local and remote address; null for another line. */
function readPorts(line: string): Ports | null {
  const match = /^\S+\s+\d+\s+\d+\s+\S+:(\d+)\s+\S+:(\d+)/.exec(line);
  return match && { local: Number(match[1]), remote: Number(match[2]) };
}
