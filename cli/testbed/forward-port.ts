import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { isHeadOfUserNamespace } from '#testbed/namespaces/enter-user-namespace.ts';
import { relayConnections, type RelayTarget } from './relay-connections.ts';

/**
 * Lets the inside of a namespace reach a server of this machine: listens on `host`, an address of the management link, and hands every
 * connection on to `target`. The control plane thus never crosses the emulated link, and the server need not listen on other addresses.
 * At the head of a user namespace, which nothing leads out of, it is the process that started this one outside that accepts the connections (`startInUserNamespace`):
 * a socket stays in the namespace that it was made in, no matter which process holds it. That process knows the target itself.
 */
export async function forwardPort(host: string, target: RelayTarget): Promise<{ port: number } & AsyncDisposable> {
  const server = createServer();
  await once(server.listen(0, host), 'listening');
  const { port } = server.address() as AddressInfo;
  if (!isHeadOfUserNamespace()) return { port, ...relayConnections(server, target) };
  await handOver(server);
  return { port, [Symbol.asyncDispose]: () => Promise.resolve() };
}

async function handOver(server: Server): Promise<void> {
  await new Promise<void>((resolve, reject) =>
    process.send!({ kind: 'relay' }, server, undefined, (error) => (error ? reject(error) : resolve())),
  );
  server.close(); // what was handed over listens on
}
