import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, isIPv6 } from 'node:net';

const attempts = 20;

/** A port that is free for TCP and UDP at all of these addresses; or the one that is wanted, which must be. Rejects with the system's error. */
export async function findFreePort(hosts: readonly string[], wanted: number): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryPort(hosts, wanted);
    } catch (error) {
      if (wanted !== 0 || attempt === attempts) throw error;
    }
  }
}

async function tryPort(hosts: readonly string[], wanted: number): Promise<number> {
  await using held = new AsyncDisposableStack();
  let port = wanted;
  for (const host of hosts) {
    const server = held.adopt(createServer(), async (each) => {
      const closed = once(each, 'close');
      each.close();
      await closed;
    });
    server.listen(port, host);
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
    const socket = held.adopt(createSocket(isIPv6(host) ? 'udp6' : 'udp4'), async (each) => {
      const closed = once(each, 'close');
      each.close();
      await closed;
    });
    socket.bind(port, host);
    await once(socket, 'listening');
  }
  return port;
}
