import { createSocket } from 'node:dgram';
import { setTimeout as pause } from 'node:timers/promises';

/** Sends so many datagrams of 18 bytes, which are packets of 60, to a port where nobody listens: `node send-datagrams.ts ADDRESS COUNT INTERVAL_MS WAIT_MS`. */
const [address, count, intervalMs, waitMs] = process.argv.slice(2);
const socket = createSocket('udp4');
for (let sent = 0; sent < Number(count); sent++) {
  socket.send(Buffer.alloc(18), 5009, address);
  await pause(Number(intervalMs));
}
await pause(Number(waitMs));
socket.close();
