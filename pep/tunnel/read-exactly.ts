import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { TunnelError } from './tunnel-error.ts';

/** The next bytes of a socket that nobody else reads. Throws `lost` when it ends before, and what the signal aborts with. */
export async function readExactly(socket: Duplex, byteCount: number, signal: AbortSignal): Promise<Buffer> {
  const parts: Buffer[] = [];
  let missing = byteCount;
  while (missing > 0) {
    // Bytes that stay unread would make it `readable` at once, again and again, and nothing else would run.
    const available = Math.min(missing, socket.readableLength);
    // Where nothing is left, this lets the socket notice its end.
    const bytes = socket.read(available) as Buffer | null;
    if (bytes) {
      parts.push(bytes);
      missing -= bytes.length;
      continue;
    }
    if (socket.readableEnded || socket.destroyed) {
      throw new TunnelError('lost', 'The other end closed the connection before it was open');
    }
    await waitForMore(socket, signal);
  }
  return Buffer.concat(parts);
}

async function waitForMore(socket: Duplex, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const options = { signal: AbortSignal.any([signal, over.signal]) };
  try {
    await Promise.race(['readable', 'end', 'close'].map((event) => once(socket, event, options)));
  } finally {
    over.abort();
  }
}
