import { AppError } from '#core/app-error.ts';
import { once } from 'node:events';
import { connect, type Server, type Socket } from 'node:net';

/** Where a Controller is. Throws `invalid-input` when it speaks https, which cannot be handed on under another address. */
export function readRelayTarget(controllerUrl: string): RelayTarget {
  const { protocol, hostname, port } = new URL(controllerUrl);
  if (protocol !== 'http:')
    throw new AppError(
      'invalid-input',
      `--controller ${controllerUrl}: a testbed joins over http only: give an http address of the Controller on this machine or in its network`,
    );
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
}

/** Where a server of this machine, or of its network, listens. */
export interface RelayTarget {
  host: string;
  port: number;
}

/** Hands every connection to a server that listens on to `target`. Disposing of it closes the server and all connections. */
export function relayConnections(server: Server, target: RelayTarget): AsyncDisposable {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  };
  server.on('connection', (client) => {
    const upstream = connect(target);
    keep(client);
    keep(upstream);
    // Either end that fails takes the other with it; who spoke there sees a closed connection.
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  return {
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
