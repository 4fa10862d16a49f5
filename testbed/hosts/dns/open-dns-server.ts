import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

export const dnsPort = 53;
const mostConnections = 256;
const idleMs = 10_000;

/** The answer to one message; null for what is not answered. It never rejects. */
export type AnswerDns = (message: Buffer, by: 'udp' | 'tcp') => Buffer | null | Promise<Buffer | null>;

/** Answers DNS at an address, by UDP and by TCP (RFC 7766), until it is disposed of. Rejects with the system's error. */
export async function openDnsServer(
  { address, port = dnsPort }: { address: string; port?: number },
  answer: AnswerDns,
): Promise<AsyncDisposable> {
  await using opening = new AsyncDisposableStack();
  const datagrams = createSocket('udp4');
  let isOpen = true;
  opening.defer(() => {
    isOpen = false;
    return closeSocket(datagrams);
  });
  datagrams.on('message', (message, { address: from, port: fromPort }) => {
    void Promise.resolve(answer(message, 'udp')).then((reply) => {
      if (reply !== null && isOpen) datagrams.send(reply, fromPort, from, () => undefined); // who asked may be gone
    });
  });
  datagrams.bind(port, address);
  await once(datagrams, 'listening');

  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    serveConnection(socket, answer);
  });
  server.maxConnections = mostConnections;
  opening.defer(() => closeServer(server, sockets));
  server.listen(port, address);
  await once(server, 'listening');
  return opening.move();
}

/** Each message has its length before it (RFC 1035, 4.2.2). */
function serveConnection(socket: Socket, answer: AnswerDns): void {
  let received = Buffer.alloc(0);
  let answering = Promise.resolve();
  socket.setTimeout(idleMs, () => socket.destroy());
  socket.on('error', () => undefined); // who asked is gone
  socket.on('data', (part: Buffer) => {
    received = Buffer.concat([received, part]);
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
      const end = 2 + received.readUInt16BE(0);
      const message = received.subarray(2, end);
      received = received.subarray(end);
      answering = answering.then(async () => {
        const reply = await answer(message, 'tcp');
        if (reply === null) socket.destroy();
        else if (socket.writable) socket.write(frameMessage(reply));
      });
    }
  });
}

/** A message as TCP carries it. */
export function frameMessage(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

async function closeSocket(socket: DatagramSocket): Promise<void> {
  await new Promise<void>((resolve) => socket.close(resolve));
}

async function closeServer(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  for (const socket of sockets) socket.destroy();
  await closed;
}
