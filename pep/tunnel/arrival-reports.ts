import type { Moment } from '../pacer/trial.ts';
import type { TunnelConnection } from './tunnel-connection.ts';

/**
 * Reads the reports of the other end in bytes that its connections have sent. The other end counts since its own start, and also what
 * came by connections that are gone.
 */
export class ArrivalReports {
  readonly #connections: ReadonlySet<TunnelConnection>;
  #last: Moment | null = null;
  /** What the other end counts beyond the connections that there are, at most. */
  #beyondBytes = Infinity;

  constructor(connections: ReadonlySet<TunnelConnection>) {
    this.#connections = connections;
  }

  /**
   * What had arrived of the bytes that the connections sent. Null for a report that says nothing new, and while too little is known.
   * Called before what comes with the report is acknowledged: by then the connections have acknowledged what the last report covered.
   */
  read(report: Moment): Moment | null {
    if (this.#last && report.atMs <= this.#last.atMs) return null;
    // An acknowledgement may be late: then it looks like more.
    if (this.#last)
      this.#beyondBytes = Math.min(this.#beyondBytes, this.#last.bytes - sumOf(this.#connections, 'ackedBytes'));
    this.#last = report;
    return Number.isFinite(this.#beyondBytes) ? { bytes: report.bytes - this.#beyondBytes, atMs: report.atMs } : null;
  }

  /** Of the connections that there are. */
  get sentBytes(): number {
    return sumOf(this.#connections, 'sentBytes');
  }

  /** A connection is gone, or the other end was started again. */
  restart(): void {
    this.#last = null;
    this.#beyondBytes = Infinity;
  }
}

function sumOf(connections: ReadonlySet<TunnelConnection>, count: 'sentBytes' | 'ackedBytes'): number {
  let sum = 0;
  for (const connection of connections) sum += connection[count];
  return sum;
}
