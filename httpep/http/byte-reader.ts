import type { Duplex } from 'node:stream';
import type { ByteSource } from '#core/http1/message-head.ts';

/** Takes the bytes of a socket as they are needed: what is not taken holds its sender up. */
export class ByteReader implements ByteSource {
  readonly socket: Duplex;
  #bytes: Buffer = Buffer.alloc(0);
  #failure: Error | null = null;
  #filling: Promise<boolean> | null = null;
  #wake: () => void = () => undefined;

  constructor(socket: Duplex) {
    this.socket = socket;
  }

  /** What has come and was not taken. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  /** Takes up to so many bytes of those that have come. */
  take(length: number): Buffer {
    const taken = this.#bytes.subarray(0, length);
    this.#bytes = this.#bytes.subarray(length);
    return taken;
  }

  /** Waits for more. False: the other end has closed. Throws what broke the connection. */
  fill(): Promise<boolean> {
    this.#filling ??= this.#fill().finally(() => (this.#filling = null));
    return this.#filling;
  }

  /** For another reader of the socket, for good: what has come and was not taken is there again. */
  giveBack(): void {
    this.fail(new Error('another one reads'));
    if (this.#bytes.length > 0) this.socket.unshift(this.#bytes);
    this.#bytes = Buffer.alloc(0);
  }

  async #fill(): Promise<boolean> {
    const { socket } = this;
    for (;;) {
      if (this.#failure) throw this.#failure;
      const bytes = socket.destroyed ? null : (socket.read() as Buffer | null);
      if (bytes) {
        this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
        return true;
      }
      if (socket.readableEnded) return false;
      if (socket.destroyed) throw socket.errored ?? new Error('the connection was closed');
      await this.#change();
    }
  }

  /** Nothing more is taken: who waits for bytes gets this error. */
  fail(error: Error): void {
    this.#failure = error;
    this.#wake();
  }

  /** Resolves when something has come, or nothing more will. */
  async #change(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    for (const event of changes) this.socket.on(event, resolve);
    await promise;
    for (const event of changes) this.socket.off(event, resolve);
  }
}

const changes = ['readable', 'end', 'close'] as const;
