import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** A program: accepts connections at the address that is given, prints its port, and ends with its standard input. */
const server = createServer((socket) => socket.on('error', () => socket.destroy()));
await once(server.listen(0, process.argv[2]), 'listening');
console.log((server.address() as AddressInfo).port);
process.stdin.on('end', () => process.exit()).resume();
