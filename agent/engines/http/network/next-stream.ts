import { subscribe } from 'node:diagnostics_channel';
import type { ClientHttp2Stream } from 'node:http2';

let onStream: ((stream: ClientHttp2Stream) => void) | null = null;

subscribe('http2.client.stream.created', (message) => {
  const { stream } = message as { stream: ClientHttp2Stream };
  // Those of the server have even numbers: what it pushes.
  if (stream.id !== undefined && stream.id % 2 === 0) return;
  onStream?.(stream);
  onStream = null;
});

/** Hands over the next stream that this process opens. undici, which keeps its streams to itself, opens that of a request right after it has announced the request. */
export function takeNextStream(take: (stream: ClientHttp2Stream) => void): void {
  onStream = take;
}
