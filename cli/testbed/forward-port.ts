import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * Lets the inside of a namespace reach a server of this machine: listens on `host`, an address of the management link, and hands every
 * connection on to `target`. The control plane thus never crosses the emulated link, and the server need not listen on other addresses.
 */
export async function forwardPort(host: string, target: { host: string; port: number }): Promise<{ port: number } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
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
  await once(server.listen(0, host), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
