import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ranks } from '#httpep/scheduler/flow.ts';
import { Scheduler } from '#httpep/scheduler/scheduler.ts';
import { Tunnel } from '#httpep/tunnel/tunnel.ts';
import { TunnelError } from '#httpep/tunnel/tunnel-error.ts';
import type { TunnelStream } from '#httpep/tunnel/tunnel-stream.ts';
import { MixedLines } from './support/mixed-lines.ts';

const flow = { user: 'a', userClass: 'any', rank: ranks.other };

function makeTunnel(end: 'remote' | 'ground', chunkBytes = 1435, maxStreams = 100): Tunnel {
  const scheduler = new Scheduler({ name: 'fair', weights: {} });
  return new Tunnel({ end, scheduler, pacer: null, chunkBytes: () => chunkBytes, maxStreams });
}

interface Pair {
  remote: Tunnel;
  ground: Tunnel;
  lines: MixedLines;
  connect(slot: number, session?: string): void;
  /** Delivers until nothing waits any more. `cut` is asked for a slot to cut before each piece; null for none. */
  run(cut?: () => number | null): Promise<void>;
}

function makePair(choose: (count: number) => number, chunkBytes = 1435, maxStreams = 100): Pair {
  const remote = makeTunnel('remote', chunkBytes);
  const ground = makeTunnel('ground', chunkBytes, maxStreams);
  const lines = new MixedLines(choose);
  const sockets = new Map<number, ReturnType<MixedLines['open']>>();
  const connect = (slot: number, session = 'first') => {
    const pair = lines.open();
    sockets.set(slot, pair);
    remote.attach(pair[0], { slot, session });
    ground.attach(pair[1], { slot, session: 'remote' });
  };
  const settle = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
  return {
    remote,
    ground,
    lines,
    connect,
    async run(cut = () => null) {
      for (let isQuiet = false; !isQuiet;) {
        await settle();
        isQuiet = !lines.release();
        const slot = cut();
        if (slot === null) continue;
        for (const socket of sockets.get(slot) ?? []) socket.destroy();
        await settle();
        connect(slot);
        isQuiet = false;
      }
    },
  };
}

/** Answers each stream with what it says, twice. */
async function answerTwice(stream: TunnelStream): Promise<void> {
  const asked = await buffer(stream);
  stream.end(Buffer.concat([asked, asked]));
}

const bodies = fc.array(fc.uint8Array({ maxLength: 9000 }), { minLength: 1, maxLength: 6 });
const choices = fc.array(fc.nat(1000), { minLength: 1, maxLength: 50 });

test('over four connections in any interleaving, each stream has its own bytes, in order and once', async () => {
  await fc.assert(
    fc.asyncProperty(bodies, choices, async (all, order) => {
      let turn = 0;
      const pair = makePair(() => order[turn++ % order.length]!, 500);
      for (let slot = 0; slot < 4; slot++) pair.connect(slot);
      pair.ground.on('stream', (stream) => void answerTwice(stream));
      const answers = all.map(async (body) => {
        const stream = pair.remote.open(flow);
        stream.end(Buffer.from(body));
        return buffer(stream);
      });
      await pair.run();
      const expected = all.map((body) => Buffer.concat([Buffer.from(body), Buffer.from(body)]));
      expect(await Promise.all(answers)).toEqual(expected);
      expect([pair.remote.streamCount, pair.ground.streamCount]).toEqual([0, 0]);
      pair.remote.destroy(new TunnelError('closed', 'over'));
    }),
    { numRuns: 60 },
  );
});

test('when connections are cut at any time, everything arrives once, as it is sent again', async () => {
  await fc.assert(
    fc.asyncProperty(
      bodies,
      choices,
      fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 4 }),
      async (all, order, cuts) => {
        let turn = 0;
        const pair = makePair(() => order[turn++ % order.length]!, 500);
        for (let slot = 0; slot < 4; slot++) pair.connect(slot);
        let opened = 0;
        pair.ground.on('stream', (stream) => {
          opened += 1;
          void answerTwice(stream);
        });
        const answers = all.map(async (body) => {
          const stream = pair.remote.open(flow);
          stream.end(Buffer.from(body));
          return buffer(stream);
        });
        const waits = [...cuts];
        let wait = waits.shift() ?? null;
        await pair.run(() => {
          if (wait === null || --wait > 0) return null;
          wait = waits.shift() ?? null;
          return turn % 4;
        });
        const expected = all.map((body) => Buffer.concat([Buffer.from(body), Buffer.from(body)]));
        expect(await Promise.all(answers)).toEqual(expected);
        expect(opened).toBe(all.length);
        pair.remote.destroy(new TunnelError('closed', 'over'));
      },
    ),
    { numRuns: 60 },
  );
});

test('a stream opened while no connection stands is sent when one does', async () => {
  const pair = makePair(() => 0);
  pair.ground.on('stream', (stream) => void answerTwice(stream));
  const stream = pair.remote.open(flow);
  stream.end('ab');
  pair.connect(0);
  const answer = buffer(stream);
  await pair.run();
  expect(String(await answer)).toBe('abab');
});

test('what nobody reads stops the sender, and a reader lets it continue', async () => {
  const pair = makePair(() => 0, 16_384);
  pair.connect(0);
  let written = 0;
  pair.ground.on('stream', (stream) => {
    const fill = () => {
      while (written < 200) {
        written += 1;
        if (!stream.write(Buffer.alloc(16_384))) {
          stream.once('drain', fill);
          return;
        }
      }
      stream.end();
    };
    fill();
    stream.resume();
  });
  const stream = pair.remote.open(flow);
  stream.end('x');
  await pair.run();
  expect(written).toBeLessThan(50);
  const answer = buffer(stream);
  await pair.run();
  expect((await answer).length).toBe(200 * 16_384);
});

test('a stream that one end gives up ends at the other, and leaves nothing behind', async () => {
  const pair = makePair(() => 0);
  pair.connect(0);
  const { promise, resolve } = Promise.withResolvers<Error>();
  pair.ground.on('stream', (stream) => stream.on('error', resolve));
  const stream = pair.remote.open(flow);
  stream.write('x');
  await pair.run();
  stream.destroy();
  await pair.run();
  expect(await promise).toMatchObject({ code: 'reset' });
  expect([pair.remote.streamCount, pair.ground.streamCount]).toEqual([0, 0]);
});

test('a stream that one end reads no more is given up by the other, also when this is known before the stream is', async () => {
  // What was sent last, by the other connection, comes first.
  const pair = makePair((count) => count - 1);
  for (const slot of [0, 1]) pair.connect(slot);
  let stopped = 0;
  pair.ground.on('stream', (stream) => stream.on('stopped', () => stream.destroy()).on('close', () => (stopped += 1)));
  const stream = pair.remote.open(flow);
  stream.end('x');
  await once(stream, 'finish');
  stream.destroy();
  await pair.run();
  expect([stopped, pair.remote.streamCount, pair.ground.streamCount]).toEqual([1, 0, 0]);
});

test('an answer before the end of the question arrives whole, and the rest of the question is dropped', async () => {
  const pair = makePair((count) => count - 1);
  for (let slot = 0; slot < 3; slot++) pair.connect(slot);
  pair.ground.on('stream', (stream) => {
    stream.once('data', () => stream.end('enough', () => stream.destroy()));
  });
  const stream = pair.remote.open(flow);
  stream.write(Buffer.alloc(200_000));
  const answer = buffer(stream);
  await pair.run();
  expect(String(await answer)).toBe('enough');
  stream.end(Buffer.alloc(200_000));
  await pair.run();
  expect([pair.remote.streamCount, pair.ground.streamCount]).toEqual([0, 0]);
});

test('when the other end was started again, what was under way fails, and what was not yet sent is sent', async () => {
  const pair = makePair(() => 0);
  pair.connect(0);
  const under = pair.remote.open(flow);
  const failed = new Promise<Error>((resolve) => under.on('error', resolve));
  under.write('x');
  await pair.run();
  pair.remote.disconnect();
  const fresh = pair.remote.open(flow);
  fresh.end('ab');
  const ground = makeTunnel('ground');
  ground.on('stream', (stream) => void answerTwice(stream));
  const [left, right] = pair.lines.open();
  pair.remote.attach(left, { slot: 0, session: 'second' });
  ground.attach(right, { slot: 0, session: 'remote' });
  const answer = buffer(fresh);
  await pair.run();
  expect(await failed).toMatchObject({ code: 'lost' });
  expect(String(await answer)).toBe('abab');
});

test('a stream too many is reset', async () => {
  const pair = makePair(() => 0, 1435, 1);
  pair.connect(0);
  pair.ground.on('stream', (stream) => stream.on('error', () => undefined));
  pair.remote.open(flow).write('x');
  const second = pair.remote.open(flow);
  const failed = new Promise<Error>((resolve) => second.on('error', resolve));
  second.write('x');
  await pair.run();
  expect(await failed).toMatchObject({ code: 'reset' });
});
