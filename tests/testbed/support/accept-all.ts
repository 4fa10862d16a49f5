import { createServer } from 'node:net';

/** A program that takes all it is sent at some ports of an address, and drops it: `node accept-all.ts ADDRESS PORT…`. It prints a line when it listens. */
const [host, ...ports] = process.argv.slice(2);
const servers = ports.map((port) => createServer((socket) => socket.resume()).listen(Number(port), host));
await Promise.all(servers.map((server) => new Promise((resolve) => server.once('listening', resolve))));
console.log('{}');
