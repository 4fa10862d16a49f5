import type { TunnelConnection } from './tunnel-connection.ts';

/** An acknowledgement is due after so long … */
const ackMs = 200;
/** … or after so many bytes by all connections, but not so soon after the last … */
const ackBytes = 16 * 1024;
const leastAckMs = 50;
/** … or after so many. */
const mostUnackedBytes = 256 * 1024;
/** The connections by which the last bytes did not come acknowledge theirs together with it so seldom. */
const otherAckMs = 1000;

/** Acknowledges what came by the connections of a tunnel, and reports how much that is in all, and when it came. */
export class Acknowledger {
  readonly #connections: ReadonlySet<TunnelConnection>;
  #receivedBytes = 0;
  #acknowledgedBytes = 0;
  #last: { connection: TunnelConnection; atMs: number } | null = null;
  #othersMs = -Infinity;
  #acknowledgedMs = -Infinity;
  #timer: NodeJS.Timeout | null = null;
  #dueMs = Infinity;
  #isDue = false;

  constructor(connections: ReadonlySet<TunnelConnection>) {
    this.#connections = connections;
  }

  /** Bytes came by a connection. */
  note(connection: TunnelConnection, bytes: number): void {
    this.#receivedBytes += bytes;
    this.#last = { connection, atMs: performance.now() };
    if (connection.owesAck) this.#plan();
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#dueMs = Infinity;
  }

  #plan(): void {
    const now = performance.now();
    const bytes = this.#receivedBytes - this.#acknowledgedBytes;
    if (bytes >= mostUnackedBytes) return this.#acknowledge();
    const dueMs = bytes >= ackBytes ? Math.max(now, this.#acknowledgedMs + leastAckMs) : now + ackMs;
    if (dueMs >= this.#dueMs) return;
    this.stop();
    this.#dueMs = dueMs;
    this.#timer = setTimeout(() => this.#acknowledge(), dueMs - now).unref();
  }

  /** Once the frames of this chunk were handed over. */
  #acknowledge(): void {
    this.stop();
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      this.#send();
    });
  }

  #send(): void {
    const { connection: last, atMs } = this.#last!;
    const now = performance.now();
    const areOthersDue = now - this.#othersMs >= otherAckMs || !last.owesAck;
    if (areOthersDue) this.#othersMs = now;
    this.#acknowledgedBytes = this.#receivedBytes;
    this.#acknowledgedMs = now;
    const owing = [...this.#connections].filter((connection) => connection.owesAck);
    for (const connection of owing)
      if (connection === last || areOthersDue || connection.unreportedBytes >= mostUnackedBytes)
        connection.acknowledge({ bytes: this.#receivedBytes, atMs });
    if (owing.some((connection) => connection.owesAck)) this.#plan();
  }
}
