import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';

/** A program: connects to the address and port that are given, and prints what the kernel reports of the connection while nothing was sent on it. */
const [host, port] = process.argv.slice(2);
const socket = connect({ host: host!, port: Number(port) });
await once(socket, 'connect');
process.stdout.write(
  execFileSync('ss', [
    '--tcp',
    '--numeric',
    '--info',
    '--memory',
    '--options',
    '--no-header',
    '--oneline',
    'sport',
    '=',
    `:${socket.localPort}`,
  ]),
);
socket.destroy();
