import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** A server at HOST that answers the first word of each connection, a number, with as many bytes, and ends it. Prints its port, then the address of each client. */
const server = createServer((socket) => {
  console.log(socket.remoteAddress);
  socket.on('error', () => socket.destroy());
  socket.once('data', (word) => socket.end(Buffer.alloc(Number(word))));
});
await once(server.listen(0, process.argv[2]), 'listening');
console.log((server.address() as AddressInfo).port);
