import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { TestProxy } from './http-proxy.ts';

/** A SOCKS 5 proxy without a password, for CONNECT by name or IPv4 address: https://www.rfc-editor.org/rfc/rfc1928 */
export async function startSocksProxy(): Promise<TestProxy> {
  const asked: string[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    void serve(socket, asked);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `socks5://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Greeting and request come in one piece each from every client that waits for its answers. */
async function serve(socket: Socket, asked: string[]): Promise<void> {
  await once(socket, 'data');
  socket.write(Buffer.from([5, 0]));
  const [request] = (await once(socket, 'data')) as [Buffer];
  const isName = request[3] === 3;
  const host = isName ? request.toString('latin1', 5, 5 + request[4]!) : request.subarray(4, 8).join('.');
  const port = request.readUInt16BE(isName ? 5 + request[4]! : 8);
  asked.push(`${host}:${port}`);
  const onward = connect(port, '127.0.0.1', () => {
    socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
    onward.pipe(socket).pipe(onward);
  });
  onward.on('error', () => socket.destroy());
  socket.on('close', () => onward.destroy());
}
