import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { headerBytes, loadFrameBytes, probeFrameBytes } from './plan-check.ts';

const probeMark = 1;
const echoMark = 2;
const loadMark = 3;
/** Where in a probe is what: its mark is the first byte. */
const offsets = { sentMs: 8, number: 4 } as const;

/** One end of the link: sends probes and load, returns the probes of the other end, and notes what comes. */
export class LinkProbe {
  readonly #socket: Socket;
  /** Of both ends. */
  readonly #port: number;
  #roundTripsMs: number[] = [];
  #returnedNumbers: number[] = [];
  #receivedNumbers: number[] = [];
  #load: ProbeAnswer['load'] = null;

  constructor(socket: Socket, port: number) {
    this.#socket = socket;
    this.#port = port;
    socket.on('message', (datagram, { address }) => this.#receive(datagram, address));
  }

  async execute(order: ProbeOrder): Promise<ProbeAnswer> {
    if (order.kind === 'probe') await this.#sendProbes(order);
    if (order.kind === 'load') await this.#sendLoad(order);
    if (order.kind === 'forget') this.#forget();
    return {
      roundTripsMs: this.#roundTripsMs,
      returnedNumbers: this.#returnedNumbers,
      receivedNumbers: this.#receivedNumbers,
      load: this.#load,
    };
  }

  #forget(): void {
    this.#roundTripsMs = [];
    this.#returnedNumbers = [];
    this.#receivedNumbers = [];
    this.#load = null;
  }

  #receive(datagram: Buffer, address: string): void {
    const nowMs = performance.now();
    if (datagram[0] === probeMark) {
      const number = this.#receivedNumbers.push(datagram.readUInt32LE(offsets.number)) - 1;
      datagram[0] = echoMark;
      datagram.writeUInt32LE(number, offsets.number);
      this.#socket.send(datagram, this.#port, address);
    } else if (datagram[0] === echoMark) {
      this.#roundTripsMs.push(nowMs - datagram.readDoubleLE(offsets.sentMs));
      this.#returnedNumbers.push(datagram.readUInt32LE(offsets.number));
    } else {
      this.#load ??= { packets: 0, frameBytes: loadFrameBytes, firstMs: nowMs, lastMs: nowMs };
      this.#load.packets += 1;
      this.#load.lastMs = nowMs;
    }
  }

  async #sendProbes({ to, count, intervalMs, waitMs }: ProbeOrder & { kind: 'probe' }): Promise<void> {
    const startMs = performance.now();
    for (let sent = 0; sent < count;) {
      if (performance.now() - startMs >= sent * intervalMs) {
        const datagram = Buffer.alloc(probeFrameBytes - headerBytes);
        datagram[0] = probeMark;
        datagram.writeUInt32LE(sent, offsets.number);
        datagram.writeDoubleLE(performance.now(), offsets.sentMs);
        this.#socket.send(datagram, this.#port, to);
        sent += 1;
      } else {
        await pause(1);
      }
    }
    await pause(waitMs);
  }

  async #sendLoad({ to, kbps, burstBytes, totalBytes }: ProbeOrder & { kind: 'load' }): Promise<void> {
    const datagram = Buffer.alloc(loadFrameBytes - headerBytes, loadMark);
    const startMs = performance.now();
    let sentBytes = 0;
    while (sentBytes < totalBytes) {
      const dueBytes = Math.min(totalBytes, burstBytes + ((performance.now() - startMs) * kbps) / 8);
      for (; sentBytes < dueBytes; sentBytes += loadFrameBytes) this.#socket.send(datagram, this.#port, to);
      await pause(1);
    }
  }
}

/** Room for what comes while the process has no CPU. */
const bufferBytes = 4 * 1024 * 1024;

/** Listens on the address of an end of the link. */
export async function openLinkProbe({ address, port }: { address: string; port: number }): Promise<LinkProbe> {
  const socket = createSocket('udp4');
  socket.bind(port, address);
  await once(socket, 'listening');
  socket.setRecvBufferSize(bufferBytes);
  socket.setSendBufferSize(bufferBytes);
  return new LinkProbe(socket, port);
}

/** What a probe process, one at each end of the link, receives. */
export const ProbeOrderSchema = z.discriminatedUnion('kind', [
  /** Sends probes, which the other end returns, and waits for the last. */
  z.strictObject({
    kind: z.literal('probe'),
    to: z.string(),
    count: z.int(),
    intervalMs: z.number(),
    waitMs: z.number(),
  }),
  /** Sends full packets. */
  z.strictObject({
    kind: z.literal('load'),
    to: z.string(),
    kbps: z.number(),
    burstBytes: z.number(),
    totalBytes: z.number(),
  }),
  /** Only reports. */
  z.strictObject({ kind: z.literal('report') }),
  /** Begins to count again. */
  z.strictObject({ kind: z.literal('forget') }),
]);

/** The answer to every order: what came since the last `forget`. */
export const ProbeAnswerSchema = z.object({
  /** Round trips of the probes that came back. */
  roundTripsMs: z.array(z.number()),
  /** The same probes, by the number that the other end gave each when it returned it. */
  returnedNumbers: z.array(z.int()),
  /** Probes of the other end that came here, by the number that it gave them. */
  receivedNumbers: z.array(z.int()),
  /** Full packets that came here, on this process's clock. */
  load: z.object({ packets: z.int(), frameBytes: z.number(), firstMs: z.number(), lastMs: z.number() }).nullable(),
});

export type ProbeOrder = z.infer<typeof ProbeOrderSchema>;
export type ProbeAnswer = z.infer<typeof ProbeAnswerSchema>;

/** The port of both ends of the link from `ground` to `remote`. */
export const probePort = 9;
