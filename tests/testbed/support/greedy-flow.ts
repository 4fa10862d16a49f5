import { once } from 'node:events';
import { createServer as createControl } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * Either end of TCP flows that take all they can get. Without users it listens on `host`; with users it opens a flow from each of their
 * addresses. At its control port it lists `/received` bytes by user, and ends the flows of `/end?user=ADDRESS`. Prints both ports.
 */
const {
  host,
  port,
  users = [],
  direction,
} = JSON.parse(process.argv[2]!) as { host: string; port?: number; users?: string[]; direction: 'forward' | 'return' };
const received: Record<string, number> = {};
const flows = new Map<string, Socket>();
const chunk = Buffer.alloc(64 * 1024);

function send(socket: Socket): void {
  const fill = () => {
    while (socket.writable && socket.write(chunk));
  };
  socket.on('drain', fill);
  fill();
}

function count(socket: Socket, user: string): void {
  socket.on('data', (data) => (received[user] = (received[user] ?? 0) + data.length));
}

function keep(socket: Socket, user: string): void {
  flows.set(user, socket);
  socket.on('error', () => socket.destroy());
}

const server = createServer((socket) => {
  const user = socket.remoteAddress!;
  keep(socket, user);
  if (direction === 'return') count(socket, user);
  else send(socket);
});
if (port === undefined) await once(server.listen(0, host), 'listening');

for (const user of users) {
  const socket = connect({ host, port: port!, localAddress: user });
  keep(socket, user);
  if (direction === 'forward') count(socket, user);
  else socket.on('connect', () => send(socket));
}

const control = createControl((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://control');
  if (pathname === '/end') flows.get(searchParams.get('user') ?? '')?.resetAndDestroy();
  response.end(JSON.stringify(received));
});
await once(control.listen(0), 'listening');
console.log(
  JSON.stringify({
    port: (server.address() as AddressInfo | null)?.port,
    controlPort: (control.address() as AddressInfo).port,
  }),
);
