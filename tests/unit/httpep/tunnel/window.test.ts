import type { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { ranks } from '#httpep/scheduler/flow.ts';
import { Scheduler } from '#httpep/scheduler/scheduler.ts';
import { Tunnel } from '#httpep/tunnel/tunnel.ts';
import { TunnelError } from '#httpep/tunnel/tunnel-error.ts';
import { TunnelStream, windowBytes, type StreamHost } from '#httpep/tunnel/tunnel-stream.ts';
import { HeldTime } from '#tests/support/held-time.ts';
import { DelayedLines } from './support/delayed-lines.ts';

const delayMs = 60;
const flow = { user: 'ann', userClass: '', rank: ranks.other };
const tunnels: Tunnel[] = [];

afterEach(() => {
  for (const tunnel of tunnels.splice(0)) tunnel.destroy(new TunnelError('closed', 'The test is over'));
});

/** Both ends over a line as fast as can be, with a delay each way. */
function makePair(pieceBytes = 16_384): { remote: Tunnel; ground: Tunnel; time: HeldTime } {
  const time = new HeldTime();
  const lines = new DelayedLines(time, delayMs);
  const [remote, ground] = (['remote', 'ground'] as const).map((end) => {
    const scheduler = new Scheduler({ name: 'fair', weights: {} });
    return new Tunnel({ end, scheduler, pacer: null, chunkBytes: () => pieceBytes, maxStreams: 100, time });
  }) as [Tunnel, Tunnel];
  tunnels.push(remote, ground);
  remote.on('stream', (stream) => stream.on('error', () => undefined));
  for (let slot = 0; slot < 4; slot++) {
    const [one, other] = lines.open();
    remote.attach(one, { slot, session: 'ground' });
    ground.attach(other, { slot, session: 'remote' });
  }
  return { remote, ground, time };
}

const sentBytesOf = (tunnel: Tunnel) =>
  [...tunnel.connectionCounts.values()].reduce((sum, { bytesSent }) => sum + bytesSent, 0);

test('a flow whose reader keeps up has more on its way than its first window', async () => {
  const { remote, ground, time } = makePair();
  const total = 16 * 1024 * 1024;
  let isWhole = false;
  let mostUnderWay = 0;
  remote.on('stream', (stream) => {
    let received = 0;
    stream.on('data', (chunk: Buffer) => {
      received += chunk.length;
      mostUnderWay = Math.max(mostUnderWay, sentBytesOf(ground) - received);
      isWhole = received === total;
    });
  });
  const stream = ground.open(flow);
  stream.on('error', () => undefined);
  stream.end(Buffer.alloc(total));
  await time.pass(100 * delayMs);
  expect(isWhole).toBe(true);
  expect(mostUnderWay).toBeGreaterThan(3 * windowBytes);
  expect(mostUnderWay).toBeLessThan(8.5 * windowBytes);
});

test.each([16_384, 1433])(
  'a reader that does not read is sent one window, in pieces of %i bytes, and the rest when it does',
  async (pieceBytes) => {
    const { remote, ground, time } = makePair(pieceBytes);
    const came = Promise.withResolvers<Duplex>();
    remote.on('stream', came.resolve);
    const stream = ground.open(flow);
    stream.on('error', () => undefined);
    stream.end(Buffer.alloc(4 * windowBytes));
    await time.pass(100 * delayMs);
    expect(sentBytesOf(ground)).toBeGreaterThan(windowBytes);
    expect(sentBytesOf(ground)).toBeLessThan(1.1 * windowBytes + 128 * 1024);
    let received = 0;
    (await came.promise).on('data', (chunk: Buffer) => (received += chunk.length));
    await time.pass(100 * delayMs);
    expect(received).toBe(4 * windowBytes);
  },
);

test('a ping shows how long a round trip takes', async () => {
  const { remote, time } = makePair();
  const seenMs: number[] = [];
  remote.on('roundTrip', (ms) => seenMs.push(ms));
  remote.ping();
  await time.pass(1000);
  expect(seenMs).toEqual(Array(4).fill(2 * delayMs));
});

test('what a window took beyond its first size is given back when its stream ends, however it ends', async () => {
  let taken = 0;
  const host: StreamHost = {
    ...{ wake: () => undefined, forget: () => undefined, grant: () => undefined },
    widen: (bytes) => {
      taken += bytes;
      return true;
    },
  };
  for (const error of [undefined, new TunnelError('closed', 'The other end is gone')]) {
    const stream = new TunnelStream(1, { flow: { ...flow, order: 0 }, clock: () => 0, host });
    stream.on('error', () => undefined).resume();
    const half = Buffer.alloc(windowBytes / 2);
    for (let offset = 0; offset < 4 * half.length; offset += half.length) {
      stream.receive(offset, half);
      await turn();
    }
    expect(taken).toBeGreaterThan(0);
    stream.destroy(error);
    expect(taken).toBe(0);
  }
});

test('a stream whose window may not become wider is granted no more than its first', async () => {
  const grants: number[] = [];
  const host: StreamHost = {
    ...{ wake: () => undefined, forget: () => undefined, widen: () => false },
    grant: (_, limit) => grants.push(limit),
  };
  const stream = new TunnelStream(1, { flow: { ...flow, order: 0 }, clock: () => 0, host });
  stream.resume();
  stream.receive(0, Buffer.alloc(windowBytes / 2));
  await turn();
  expect(grants).toEqual([1.5 * windowBytes]);
  expect(() => stream.receive(windowBytes / 2, Buffer.alloc(windowBytes + 1))).toThrow('sends more than was granted');
  stream.destroy();
});
