import { subscribe } from 'node:diagnostics_channel';
import type { ClientHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';

type Taker = (stream: ClientHttp2Stream) => void;

/** By the connection that the stream will be on. */
const takers = new WeakMap<Duplex, Taker>();

subscribe('http2.client.stream.created', (message) => {
  const { stream } = message as { stream: ClientHttp2Stream };
  // Those of the server have even numbers: what it pushes.
  if (stream.id !== undefined && stream.id % 2 === 0) return;
  const connection = connectionOf(stream);
  if (!connection) return;
  const take = takers.get(connection);
  takers.delete(connection);
  take?.(stream);
});

/**
 * Hands over the next stream that is opened on a connection. undici, which keeps its streams to itself, opens that of a request right after it has
 * announced the request. A request that it gave up before that is replaced by the next one.
 */
export function takeNextStream(connection: Duplex, take: Taker): void {
  takers.set(connection, take);
}

/** Node wraps what is no socket of its own, and keeps it as `stream`. */
function connectionOf({ session }: ClientHttp2Stream): Duplex | undefined {
  return (session?.socket as { stream?: Duplex } | undefined)?.stream;
}
