import { afterEach, expect, test } from 'vitest';
import { SilenceWatch } from '#httpep/remote/silence-watch.ts';
import { ranks } from '#httpep/scheduler/flow.ts';
import { Scheduler } from '#httpep/scheduler/scheduler.ts';
import { Tunnel } from '#httpep/tunnel/tunnel.ts';
import { TunnelError } from '#httpep/tunnel/tunnel-error.ts';
import { HeldTime } from '#tests/support/held-time.ts';
import { DelayedLines } from '../tunnel/support/delayed-lines.ts';

const dispose: (() => void)[] = [];
afterEach(() => {
  for (const each of dispose.splice(0)) each();
});

/** Both ends of a tunnel over lines that can be cut, and the watch of the remote end. */
function holdPair({ oneWayMs = 20, isOpen = true } = {}) {
  const time = new HeldTime();
  const lines = new DelayedLines(time, oneWayMs);
  const [remote, ground] = (['remote', 'ground'] as const).map((end) => {
    const scheduler = new Scheduler({ name: 'fair', weights: {} });
    return new Tunnel({ end, scheduler, pacer: null, chunkBytes: () => 1433, maxStreams: 16, time });
  }) as [Tunnel, Tunnel];
  const connect = () => {
    for (let slot = 0; slot < 4; slot++) {
      const [one, other] = lines.open();
      // The remote end greeted first.
      remote.attach(one, { slot, session: 'ground', roundTripMs: 2 * oneWayMs });
      ground.attach(other, { slot, session: 'remote' });
    }
  };
  ground.on('stream', (stream) => stream.on('error', () => undefined));
  const lostMs: number[] = [];
  const watch = new SilenceWatch({ tunnel: remote, onLost: () => lostMs.push(time.clock()), time });
  if (isOpen) connect();
  dispose.push(() => {
    watch[Symbol.dispose]();
    for (const tunnel of [remote, ground]) tunnel.destroy(new TunnelError('closed', 'The test is over'));
  });
  /** Asks for something that is never answered. */
  const ask = () => {
    const stream = remote.open({ user: 'ann', userClass: '', rank: ranks.other });
    const problems: string[] = [];
    stream.on('error', (error) => problems.push((error as TunnelError).code));
    stream.write('a question');
    return problems;
  };
  return { time, lines, remote, ground, watch, connect, ask, losses: () => lostMs.length, lostMs };
}

test('a ground end that answers pings is never lost, however long it takes to answer a request', async () => {
  const { time, ask, watch, losses } = holdPair();
  ask();
  await time.pass(600_000);
  expect([watch.isLost, losses()]).toEqual([false, 0]);
});

test('a line that is cut while something should come is lost within 2 s', async () => {
  const { time, lines, ask, watch, losses } = holdPair();
  const problems = ask();
  await time.pass(1000);
  lines.cut();
  await time.pass(1300);
  expect(watch.isLost).toBe(false);
  await time.pass(500);
  expect([watch.isLost, losses()]).toEqual([true, 1]);
  // It may be back soon: what is under way is not given up yet.
  expect(problems).toEqual([]);
});

test('what is asked for while the line is cut already is lost within 2 s', async () => {
  const { time, lines, ask, watch } = holdPair();
  lines.cut();
  await time.pass(600_000);
  expect(watch.isLost).toBe(false);
  ask();
  await time.pass(1600);
  expect(watch.isLost).toBe(false);
  await time.pass(200);
  expect(watch.isLost).toBe(true);
});

test('a line that is cut for a moment is not lost', async () => {
  const { time, lines, ask, watch, losses } = holdPair();
  const problems = ask();
  for (let times = 0; times < 5; times++) {
    await time.pass(1000);
    lines.cut();
    await time.pass(1200);
    lines.resume();
  }
  await time.pass(10_000);
  expect([watch.isLost, losses(), problems]).toEqual([false, 0, []]);
});

test('with longer round trips, silence may be longer', async () => {
  const { time, lines, remote, ask, lostMs } = holdPair({ oneWayMs: 900 });
  let heardMs = 0;
  remote.on('heard', () => (heardMs = time.clock()));
  ask();
  await time.pass(600_000);
  expect(lostMs).toEqual([]);
  lines.cut();
  await time.pass(10_000);
  expect(lostMs).toHaveLength(1);
  expect(lostMs[0]! - heardMs).toBeGreaterThanOrEqual(300 + 1.5 * 1800);
  expect(lostMs[0]! - heardMs).toBeLessThanOrEqual(300 + 1.5 * 1800 + 50);
});

test('with the longest round trip, what is asked for before a connection stands is not lost either', async () => {
  const { time, connect, ask, losses } = holdPair({ oneWayMs: 1500, isOpen: false });
  const problems = ask();
  await time.pass(6000); // one round trip to connect, and one to greet
  connect();
  await time.pass(600_000);
  expect([losses(), problems]).toEqual([0, []]);
});

test('a far ground end that could not be reached at first is not lost again once a connection stands', async () => {
  const { time, watch, connect, ask, losses } = holdPair({ oneWayMs: 1000, isOpen: false });
  watch.noteFailure();
  ask();
  await time.pass(1800);
  expect([watch.isLost, losses()]).toEqual([true, 1]);
  connect();
  await time.pass(600_000);
  expect([watch.isLost, losses()]).toEqual([false, 1]);
});

test('a line that is lost is opened again, is found to be back, and what waited for it comes', async () => {
  const { time, lines, ground, remote, connect, ask, watch, losses } = holdPair();
  const problems = ask();
  let opened = 0;
  ground.on('stream', () => (opened += 1));
  await time.pass(1000);
  lines.cut();
  await time.pass(2000);
  expect([watch.isLost, remote.connectionCount]).toEqual([true, 4]);
  ask();
  await time.pass(2500);
  expect(remote.connectionCount).toBe(0);
  lines.resume();
  connect();
  await time.pass(1000);
  expect([watch.isLost, losses(), problems]).toEqual([false, 1, []]);
  expect([opened, ground.streamCount]).toEqual([2, 2]);
});

test('what waits for a minute is given up, and may be asked for again', async () => {
  const { time, lines, remote, connect, ask, watch } = holdPair();
  const problems = ask();
  lines.cut();
  await time.pass(59_000);
  expect(problems).toEqual([]);
  await time.pass(2000);
  expect([problems, remote.streamCount]).toEqual([['lost'], 0]);
  lines.resume();
  connect();
  await time.pass(1000);
  expect(watch.isLost).toBe(false);
  const again = ask();
  await time.pass(10_000);
  expect([watch.isLost, again, remote.streamCount]).toEqual([false, [], 1]);
});

test('where nothing listens any more, what is under way is given up at once, and once', async () => {
  const { time, ask, remote, connect, watch, losses } = holdPair();
  const problems = ask();
  remote.disconnect();
  watch.declareLost();
  watch.declareLost();
  expect([watch.isLost, losses(), remote.streamCount]).toEqual([true, 1, 0]);
  await time.pass(0);
  expect(problems).toEqual(['lost']);
  connect();
  expect(watch.isLost).toBe(false);
});
