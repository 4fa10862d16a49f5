import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { expect } from 'vitest';

const relay = `
  const { connect, createServer } = require('node:net');
  const server = createServer((socket) => {
    const onward = connect(Number(process.argv[1]), '127.0.0.1').on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy()).pipe(onward).pipe(socket);
  });
  server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => console.log(server.address().port));
`;

/** The first is that of a slow way. Nobody is at the second. */
export const twoAddresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));

/** Another way to a port of this machine, on which the first packet of a connection is lost: the kernel sends it again after a second. */
export async function startSlowWay(port: number) {
  const child = spawn(process.execPath, ['-e', relay, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const way = Number(String(((await once(child.stdout, 'data')) as [Buffer])[0]));
  child.kill('SIGSTOP');
  // As many as fit in the queue of connections that wait.
  const waiting = [1, 2].map(() => connect(way, '127.0.0.1').on('error', () => undefined));
  await Promise.all(waiting.map((each) => once(each, 'connect')));
  // SYN_SENT: https://docs.kernel.org/networking/proc_net_tcp.html
  const sent = new RegExp(` \\w+:${way.toString(16).toUpperCase().padStart(4, '0')} 02 `);
  /** Until the first packet of a connection was lost. */
  const untilLost = () => expect.poll(() => readFile('/proc/net/tcp', 'utf8'), { interval: 5 }).toMatch(sent);
  return {
    port: way,
    untilLost,
    /** Lets connections in, once the first packet of one was lost. */
    async open() {
      await untilLost();
      child.kill('SIGCONT');
    },
    async [Symbol.asyncDispose]() {
      const over = once(child, 'exit');
      child.kill('SIGKILL');
      for (const each of waiting) each.destroy();
      await over;
    },
  };
}
