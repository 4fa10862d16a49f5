import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface HeldOrigin extends AsyncDisposable {
  url: string;
}

/** An HTTPS origin whose handshakes take `holdMs` longer: what a client says first reaches it so late. */
export async function holdHandshakes(originUrl: string, holdMs: number): Promise<HeldOrigin> {
  const { hostname, port } = new URL(originUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const origin = connect(Number(port), hostname);
    for (const socket of [client, origin]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => [client, origin].forEach((each) => each.destroy()));
    }
    origin.pipe(client);
    client.once('data', (hello) => {
      client.pause();
      void sleep(holdMs).then(() => {
        origin.write(hello);
        client.pipe(origin);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
