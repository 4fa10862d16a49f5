import type { Socket } from 'node:net';

/**
 * Makes a connection speak HTTP/1.0. undici writes `GET /path HTTP/1.1` as the first line of each request, and never another
 * version: the line that leaves says HTTP/1.0. That a connection carries one request only is undici's `pipelining: 0`.
 */
export function speakHttp10(socket: Socket): void {
  const write = socket.write.bind(socket) as (chunk: unknown, ...rest: unknown[]) => boolean;
  socket.write = (chunk: unknown, ...rest: unknown[]) => {
    const text = typeof chunk === 'string' ? chunk.replace(/^([A-Z]+ \S+ HTTP\/1)\.1\r\n/, '$1.0\r\n') : chunk;
    return write(text, ...rest);
  };
}
