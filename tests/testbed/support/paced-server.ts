import { createSocket } from 'node:dgram';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** The server of `openCaptureNetwork`: downloads at 20 Mb/s, a channel that answers every word, and a place where datagrams end. */
const ports = JSON.parse(process.argv[2]!) as { httpPort: number; controlPort: number; discardPort: number };
const pieceBytes = 25_000;
const pieceEveryMs = 10;

const downloads = createHttpServer((request, response) => {
  const totalBytes = Number(request.url!.slice(1));
  const send = async () => {
    const startMs = performance.now();
    for (let sentBytes = 0; sentBytes < totalBytes; sentBytes += pieceBytes) {
      response.write(Buffer.alloc(Math.min(pieceBytes, totalBytes - sentBytes)));
      await pause(Math.max(0, startMs + (sentBytes / pieceBytes + 1) * pieceEveryMs - performance.now()));
    }
    response.end();
  };
  void send();
});
const control = createServer((socket) => void socket.on('error', () => socket.destroy()).pipe(socket));
const discard = createSocket('udp4');

const listening = [downloads, control].map(
  (server, index) => new Promise<void>((resolve) => server.listen([ports.httpPort, ports.controlPort][index], resolve)),
);
await Promise.all([...listening, new Promise<void>((resolve) => discard.bind(ports.discardPort, resolve))]);
console.log('listening');
process.stdin.on('end', () => process.exit(0)).resume();
