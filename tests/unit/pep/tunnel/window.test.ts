import { duplexPair, type Duplex } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { ranks } from '#pep/scheduler/flow.ts';
import { Scheduler } from '#pep/scheduler/scheduler.ts';
import { Tunnel } from '#pep/tunnel/tunnel.ts';
import { TunnelError } from '#pep/tunnel/tunnel-error.ts';
import { windowBytes } from '#pep/tunnel/tunnel-stream.ts';

const delayMs = 60;
const flow = { user: 'ann', userClass: '', rank: ranks.other };
const tunnels: Tunnel[] = [];

afterEach(() => {
  for (const tunnel of tunnels.splice(0)) tunnel.destroy(new TunnelError('closed', 'The test is over'));
});

/** Both ends over a line as fast as can be, with a delay each way. */
function makePair(): { remote: Tunnel; ground: Tunnel } {
  const [remote, ground] = (['remote', 'ground'] as const).map((end) => {
    const scheduler = new Scheduler({ name: 'fair', weights: {} });
    return new Tunnel({ end, scheduler, pacer: null, chunkBytes: () => 16_384, maxStreams: 100 });
  }) as [Tunnel, Tunnel];
  tunnels.push(remote, ground);
  remote.on('stream', (stream) => stream.on('error', () => undefined));
  const delay = (from: Duplex, to: Duplex) =>
    from.on('data', (chunk: Buffer) => setTimeout(() => to.destroyed || to.write(chunk), delayMs));
  for (let slot = 0; slot < 4; slot++) {
    const [one, oneMiddle] = duplexPair();
    const [otherMiddle, other] = duplexPair();
    delay(oneMiddle, otherMiddle);
    delay(otherMiddle, oneMiddle);
    remote.attach(one, { slot, session: 'ground' });
    ground.attach(other, { slot, session: 'remote' });
  }
  return { remote, ground };
}

const sentBytesOf = (tunnel: Tunnel) =>
  [...tunnel.connectionCounts.values()].reduce((sum, { bytesSent }) => sum + bytesSent, 0);

test('a flow whose reader keeps up has more on its way than its first window', async () => {
  const { remote, ground } = makePair();
  const total = 16 * 1024 * 1024;
  const { promise, resolve } = Promise.withResolvers<void>();
  let mostUnderWay = 0;
  remote.on('stream', (stream) => {
    let received = 0;
    stream.on('data', (chunk: Buffer) => {
      received += chunk.length;
      mostUnderWay = Math.max(mostUnderWay, sentBytesOf(ground) - received);
      if (received === total) resolve();
    });
  });
  const stream = ground.open(flow);
  stream.on('error', () => undefined);
  stream.end(Buffer.alloc(total));
  await promise;
  expect(mostUnderWay).toBeGreaterThan(3 * windowBytes);
  expect(mostUnderWay).toBeLessThan(8.5 * windowBytes);
});

test('a reader that does not read is sent one window, and no more', async () => {
  const { remote, ground } = makePair();
  const opened = new Promise((resolve) => remote.once('stream', resolve));
  const stream = ground.open(flow);
  stream.on('error', () => undefined);
  stream.end(Buffer.alloc(4 * windowBytes));
  await opened;
  await expect.poll(() => sentBytesOf(ground)).toBeGreaterThan(windowBytes);
  await new Promise((resolve) => setTimeout(resolve, 4 * delayMs));
  expect(sentBytesOf(ground)).toBeLessThan(1.1 * windowBytes + 128 * 1024);
});

test('a ping shows how long a round trip takes', async () => {
  const { remote } = makePair();
  const roundTrip = new Promise<number>((resolve) => remote.once('roundTrip', resolve));
  remote.ping();
  expect(await roundTrip).toBeGreaterThanOrEqual(2 * delayMs - 2);
  expect(await roundTrip).toBeLessThan(2 * delayMs + 1000);
});
