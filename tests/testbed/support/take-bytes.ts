import { once } from 'node:events';
import { connect } from 'node:net';

/** Downloads BYTES from HOST PORT (`serve-bytes.ts`) as often as COUNT, at once, from LOCAL. Prints of each how long its handshake and all of it took, and its bytes. */
const [, , bytes, host, port, localAddress, count] = process.argv;
const downloads = Array.from({ length: Number(count) }, async () => {
  const startMs = performance.now();
  const socket = connect({ host: host!, port: Number(port), localAddress });
  let received = 0;
  socket.on('data', (data) => (received += data.length));
  await once(socket, 'connect');
  const connectMs = performance.now() - startMs;
  socket.write(bytes!);
  await once(socket, 'end');
  return { connectMs, totalMs: performance.now() - startMs, bytes: received };
});
console.log(JSON.stringify(await Promise.all(downloads)));
