import type { TunnelConnection } from './tunnel-connection.ts';

/** An acknowledgement is due after so many bytes by each connection … */
const ackBytes = 64 * 1024;
/** … or so long. */
const ackMs = 100;

/** Acknowledges what came by the connections of a tunnel, and reports how much that is in all, and when it came. */
export class Acknowledger {
  readonly #connections: ReadonlySet<TunnelConnection>;
  #receivedBytes = 0;
  #acknowledgedBytes = 0;
  #lastMs = 0;
  #timer: NodeJS.Timeout | null = null;
  #isDue = false;

  constructor(connections: ReadonlySet<TunnelConnection>) {
    this.#connections = connections;
  }

  /** Bytes came by one of the connections: they are to be acknowledged if `isOwed`. */
  note(bytes: number, isOwed: boolean): void {
    this.#receivedBytes += bytes;
    this.#lastMs = performance.now();
    if (!isOwed) return;
    if (this.#receivedBytes - this.#acknowledgedBytes >= ackBytes * this.#connections.size) this.#acknowledge();
    else this.#timer ??= setTimeout(() => this.#acknowledge(), ackMs).unref();
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Once the frames of this chunk were handed over. */
  #acknowledge(): void {
    this.stop();
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      this.#acknowledgedBytes = this.#receivedBytes;
      for (const connection of this.#connections)
        connection.acknowledge({ bytes: this.#receivedBytes, atMs: this.#lastMs });
    });
  }
}
