import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

const lookEveryMs = 1_000;
const answerLimitMs = 2_000;
/** As haproxy's `fall 3`. */
const failuresOfDown = 3;

interface Server {
  port: number;
  failures: number;
  sockets: Set<Socket>;
}

/** A balancer, such as haproxy: connections go to the servers in turn. One that fails its health check three times gets none, and those that it has are broken. */
export interface Balancer extends AsyncDisposable {
  port: number;
}

export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const servers: Server[] = ports.map((port) => ({ port, failures: 0, sockets: new Set() }));
  const all = new Set<Socket>();
  let turn = 0;

  const pass = (socket: Socket, attempts: number) => {
    const able = servers.filter(({ failures }) => failures < failuresOfDown);
    if (able.length === 0 || attempts === 0) return void socket.destroy();
    const server = able[turn++ % able.length]!;
    const onward = connect(server.port, '127.0.0.1');
    onward.once('connect', () => {
      server.sockets.add(socket);
      socket.pipe(onward).pipe(socket);
      socket.on('close', () => {
        server.sockets.delete(socket);
        onward.destroy();
      });
      onward.on('close', () => socket.destroy());
    });
    onward.on('error', () => {
      if (server.sockets.has(socket)) socket.destroy();
      else pass(socket, attempts - 1);
    });
  };
  const balancer = createServer((socket) => {
    all.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => all.delete(socket));
    pass(socket, servers.length);
  });
  await once(balancer.listen(0, '127.0.0.1'), 'listening');

  const look = async (server: Server) => {
    const isHealthy = await fetch(`http://127.0.0.1:${server.port}/api/health`, {
      signal: AbortSignal.timeout(answerLimitMs),
    }).then(
      ({ ok }) => ok,
      () => false,
    );
    server.failures = isHealthy ? 0 : server.failures + 1;
    if (server.failures === failuresOfDown) for (const socket of server.sockets) socket.destroy();
  };
  const looking = setInterval(() => {
    for (const server of servers) void look(server);
  }, lookEveryMs);

  return {
    port: (balancer.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      clearInterval(looking);
      balancer.close();
      for (const socket of all) socket.destroy();
      await once(balancer, 'close');
    },
  };
}
