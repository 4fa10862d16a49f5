import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Passes TCP connections on to a port of this machine, as a balancer with one server at a time, or as a cable that can be pulled. */
export interface TcpRelay extends AsyncDisposable {
  port: number;
  /** New connections go there; those that there are break. */
  moveTo(port: number): void;
  /** Nothing passes any more, in either direction, and neither end is informed. */
  halt(): void;
  resume(): void;
}

/** `onAnswer` gets what the targets send. */
export async function startTcpRelay(
  targetPort: number,
  { onAnswer }: { onAnswer?: (data: Buffer) => void } = {},
): Promise<TcpRelay> {
  let target = targetPort;
  let isHalted = false;
  const sockets = new Set<Socket>();
  const hold = (socket: Socket, other: Socket) => {
    sockets.add(socket);
    if (isHalted) socket.pause();
    socket.on('data', (data) => other.write(data));
    if (isHalted) socket.pause();
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  };
  const server = createServer((socket) => {
    const onward = connect(target, '127.0.0.1');
    if (onAnswer) onward.on('data', onAnswer);
    hold(socket, onward);
    hold(onward, socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    moveTo: (port) => {
      target = port;
      breakAll();
    },
    halt: () => {
      isHalted = true;
      for (const socket of sockets) socket.pause();
    },
    resume: () => {
      isHalted = false;
      for (const socket of sockets) socket.resume();
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      breakAll();
      await once(server, 'close');
    },
  };
}
