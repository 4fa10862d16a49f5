import { actAfter, type Time } from '#core/clock/time.ts';
import type { TunnelConnection } from './tunnel-connection.ts';

/** An acknowledgement is due after so long. */
const ackMs = 200;
/** It is due earlier after so many bytes by all connections, but not so soon after the last one. */
const ackBytes = 16 * 1024;
const leastAckMs = 50;
/** After so many bytes it is due at once. */
const mostUnackedBytes = 256 * 1024;
/** The connections by which the last bytes did not come acknowledge theirs together with it so seldom. */
const otherAckMs = 1000;

/** Acknowledges what came by the connections of a tunnel, and reports how much that is in all, and when it came. */
export class Acknowledger {
  readonly #connections: ReadonlySet<TunnelConnection>;
  readonly #time: Time;
  #receivedBytes = 0;
  #acknowledgedBytes = 0;
  #last: { connection: TunnelConnection; atMs: number } | null = null;
  #othersMs = -Infinity;
  #acknowledgedMs = -Infinity;
  /** Calls off the next acknowledgement. */
  #planned: AbortController | null = null;
  #dueMs = Infinity;
  #isDue = false;

  constructor(connections: ReadonlySet<TunnelConnection>, time: Time) {
    this.#connections = connections;
    this.#time = time;
  }

  /** Bytes came by a connection. */
  note(connection: TunnelConnection, bytes: number): void {
    this.#receivedBytes += bytes;
    this.#last = { connection, atMs: this.#time.clock() };
    if (connection.owesAck) this.#plan();
  }

  stop(): void {
    this.#planned?.abort();
    this.#planned = null;
    this.#dueMs = Infinity;
  }

  #plan(): void {
    const now = this.#time.clock();
    const bytes = this.#receivedBytes - this.#acknowledgedBytes;
    if (bytes >= mostUnackedBytes) return this.#acknowledge();
    const dueMs = bytes >= ackBytes ? Math.max(now, this.#acknowledgedMs + leastAckMs) : now + ackMs;
    if (dueMs >= this.#dueMs) return;
    this.stop();
    this.#dueMs = dueMs;
    this.#planned = new AbortController();
    const wait = { sleep: this.#time.sleep, signal: this.#planned.signal };
    actAfter(dueMs - now, () => this.#acknowledge(), wait);
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
    const now = this.#time.clock();
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
