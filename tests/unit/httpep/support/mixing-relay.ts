import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Passes connections on to a port of this machine. Each is held up by itself, by chance, so that they overtake each other. */
export async function startMixingRelay(
  targetPort: number,
  random: () => number,
): Promise<{ port: number } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const pass = (from: Socket, to: Socket) => {
    const waiting: Buffer[] = [];
    let isHeldUp = false;
    const release = () => {
      isHeldUp = false;
      const chunk = waiting.shift();
      if (!chunk) return;
      // A part may come alone.
      const length = 1 + Math.floor(random() * chunk.length);
      to.write(chunk.subarray(0, length));
      if (length < chunk.length) waiting.unshift(chunk.subarray(length));
      holdUp();
    };
    const holdUp = () => {
      if (isHeldUp || waiting.length === 0) return;
      isHeldUp = true;
      if (random() < 0.2) setTimeout(release, random() * 12);
      else setImmediate(release);
    };
    sockets.add(from);
    from.on('data', (chunk: Buffer) => {
      waiting.push(chunk);
      holdUp();
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = createServer({ noDelay: true }, (socket) => {
    const onward = connect({ port: targetPort, host: '127.0.0.1', noDelay: true });
    pass(socket, onward);
    pass(onward, socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
