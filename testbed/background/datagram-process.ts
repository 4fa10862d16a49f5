import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { serveOrders } from '../namespaces/serve-orders.ts';
import { DatagramProcessOptionsSchema, type DatagramAnswer } from './background-figures.ts';
import { BackgroundOrderSchema, DelayHistogram, pingPort, voicePort } from './flow-messages.ts';

/** One end of voice and pings, as a process of its own: `node datagram-process.ts OPTIONS`. */
const { own, peer, sendsPings, voices } = DatagramProcessOptionsSchema.parse(JSON.parse(process.argv[2]!));

/** G.711: a packet each 20 ms, 160 bytes of voice, and before them as many bytes as RTP's header has (RFC 3550, 5.1). They hold when it was sent. */
const voiceEveryMs = 20;
const voiceBytes = 12 + 160;
const pingEveryMs = 200;
const pingBytes = 18;

const voiceDelays = new DelayHistogram();
const roundTrips = new DelayHistogram();
const counts = { voiceSent: 0, voiceReceived: 0, pingsSent: 0, pingsReturned: 0 };
const timers: NodeJS.Timeout[] = [];

/** The kernel's monotonic clock, which all processes of the machine share. */
const nowMs = () => Number(process.hrtime.bigint()) / 1e6;

async function open(port: number, onMessage: (datagram: Buffer, socket: Socket) => void): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.on('message', (datagram) => onMessage(datagram, socket));
  await once(socket.bind(port, own), 'listening');
  return socket;
}

function send(socket: Socket, { bytes, port }: { bytes: number; port: number }): void {
  const datagram = Buffer.alloc(bytes);
  datagram.writeDoubleLE(nowMs(), 0);
  socket.send(datagram, port, peer);
}

/** A time for each voice, so that they do not send at once. */
function repeat(everyMs: number, { afterMs, work }: { afterMs: number; work: () => void }): void {
  timers.push(
    setTimeout(() => {
      work();
      timers.push(setInterval(work, everyMs));
    }, afterMs),
  );
}

const pings = await open(pingPort, (datagram, socket) => {
  if (!sendsPings) return socket.send(datagram, pingPort, peer);
  counts.pingsReturned += 1;
  roundTrips.add(nowMs() - datagram.readDoubleLE(0));
});
const sockets = await Promise.all(
  Array.from({ length: voices }, (_, user) =>
    open(voicePort + user, (datagram) => {
      counts.voiceReceived += 1;
      voiceDelays.add(nowMs() - datagram.readDoubleLE(0));
    }),
  ),
);

function begin(): void {
  if (sendsPings)
    repeat(pingEveryMs, {
      afterMs: pingEveryMs,
      work: () => {
        counts.pingsSent += 1;
        send(pings, { bytes: pingBytes, port: pingPort });
      },
    });
  sockets.forEach((socket, user) =>
    repeat(voiceEveryMs, {
      afterMs: (user / voices) * voiceEveryMs,
      work: () => {
        counts.voiceSent += 1;
        send(socket, { bytes: voiceBytes, port: voicePort + user });
      },
    }),
  );
}

serveOrders(BackgroundOrderSchema, ({ kind }): DatagramAnswer => {
  if (kind === 'begin') begin();
  if (kind === 'stop') timers.forEach((timer) => clearTimeout(timer));
  return { ...counts, voiceDelay: voiceDelays.summarize(), roundTrip: roundTrips.summarize() };
});
