import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/**
 * A socket whose received bytes are seen by `onReceived` before their reader has them. Node's HTTP/2 reads a plain socket in native code, where nobody
 * can look on.
 */
export class ObservedSocket extends Duplex {
  readonly #socket: Socket;

  constructor(socket: Socket, onReceived: (chunk: Buffer) => void) {
    super({ allowHalfOpen: true });
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      onReceived(chunk);
      if (!this.push(chunk)) socket.pause();
    });
    socket.pause();
    socket.once('end', () => this.push(null));
    socket.once('error', (error) => this.destroy(error));
    socket.once('close', () => this.destroy());
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#socket.write(chunk, encoding, callback);
  }

  override _writev(
    chunks: { chunk: Buffer; encoding: BufferEncoding }[],
    callback: (error?: Error | null) => void,
  ): void {
    this.#socket.write(
      chunks.length === 1 ? chunks[0]!.chunk : Buffer.concat(chunks.map(({ chunk }) => chunk)),
      callback,
    );
  }

  override _final(callback: () => void): void {
    this.#socket.end(callback);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#socket.destroy();
    callback(error);
  }
}
