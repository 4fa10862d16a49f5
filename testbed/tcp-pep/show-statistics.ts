import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** A program: asks haproxy at a port of this host for its statistics, and prints them (CSV). It may be about to start. */
const giveUpAfterMs = 10_000;
const port = Number(process.argv[2]);

async function connectSoon(): Promise<Socket> {
  const deadlineMs = performance.now() + giveUpAfterMs;
  for (;;) {
    const socket = connect({ host: '127.0.0.1', port });
    try {
      await once(socket, 'connect');
      return socket;
    } catch (error) {
      if (performance.now() > deadlineMs) throw error;
      await pause(10);
    }
  }
}

const socket = await connectSoon();
socket.end('show stat\n');
process.stdout.write(await text(socket));
