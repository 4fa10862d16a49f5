import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { TunnelError } from './tunnel-error.ts';

/** The next bytes of a socket that nobody else reads. Throws `lost` when it ends before, and what the signal aborts with. */
export async function readExactly(socket: Duplex, byteCount: number, signal: AbortSignal): Promise<Buffer> {
  for (;;) {
    const bytes = socket.read(byteCount) as Buffer | null;
    if (bytes?.length === byteCount) return bytes;
    if (bytes !== null || socket.readableEnded || socket.destroyed) {
      throw new TunnelError('lost', 'The other end closed the connection before it was open');
    }
    const over = new AbortController();
    const options = { signal: AbortSignal.any([signal, over.signal]) };
    try {
      await Promise.race(['readable', 'end', 'close'].map((event) => once(socket, event, options)));
    } finally {
      over.abort();
    }
  }
}
