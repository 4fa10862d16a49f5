import type { Socket } from 'node:net';
import { Readable } from 'node:stream';

const chunk = Buffer.alloc(64 * 1024);

/** Sends as much as the connection takes, until it is closed. */
export function sendEndlessly(socket: Socket): void {
  const fill = () => {
    while (socket.writable && socket.write(chunk));
  };
  socket.on('drain', fill);
  fill();
}

/** So many bytes, in parts. */
export function bytesOf(count: number): Readable {
  return Readable.from(parts(count));
}

function* parts(count: number): Generator<Buffer> {
  for (let left = count; left > 0; left -= chunk.length) yield chunk.subarray(0, Math.min(left, chunk.length));
}
