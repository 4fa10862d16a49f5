import { expect, test } from 'vitest';
import { openClock } from '#tests/support/answering-clock.ts';
import { HeldTime } from '#tests/support/held-time.ts';

const never = new AbortController().signal;

test('a reading that is asked for while there is no line is made when there is one, however often it could not be made', async () => {
  const clock = openClock();
  const reading = clock.improve(never);
  clock.handleDisconnect();
  clock.handleDisconnect();
  clock.handleConnect();
  expect((await reading).errorMs).toBeGreaterThanOrEqual(0);

  clock.handleDisconnect();
  const again = clock.improve(never);
  clock.handleDisconnect();
  clock.handleConnect();
  expect((await again).errorMs).toBeGreaterThanOrEqual(0);
  clock.handleDisconnect();
});

test('a reading that a break of the line ends is made on the next line, and what was known before is known until then', async () => {
  let isAnswering = true;
  let answer = () => undefined as void;
  const clock = openClock({
    request: (agentEpochMs) => {
      if (isAnswering) queueMicrotask(() => reply(agentEpochMs));
      else answer();
    },
  });
  const reply = (agentEpochMs: number) =>
    clock.handleReply({ agentEpochMs, receivedEpochMs: agentEpochMs, repliedEpochMs: agentEpochMs });
  clock.handleConnect();
  await clock.improve(never);
  clock.handleDisconnect();
  expect(clock.known).not.toBeNull();

  isAnswering = false;
  const asked = new Promise<void>((resolve) => (answer = resolve));
  clock.handleConnect();
  await asked;
  clock.handleDisconnect();
  isAnswering = true;
  const reading = clock.improve(never);
  clock.handleConnect();
  expect((await reading).errorMs).toBeGreaterThanOrEqual(0);
  clock.handleDisconnect();
});

test('the clock of another Controller at the end of a new line replaces what was known', async () => {
  let offsetMs = 5;
  const clock = openClock({
    request: (agentEpochMs) =>
      queueMicrotask(() =>
        clock.handleReply({
          agentEpochMs,
          receivedEpochMs: agentEpochMs + offsetMs,
          repliedEpochMs: agentEpochMs + offsetMs,
        }),
      ),
  });
  clock.handleConnect();
  await clock.improve(never);
  offsetMs = 5.01; // so near that it might be a drift
  clock.handleConnect();
  const known = await clock.improve(never);
  expect(Math.abs(known.offsetMs - 5.01)).toBeLessThanOrEqual(known.errorMs + 0.001);
  clock.handleDisconnect();
});

test('the clock is read every 15 s from a random instant on, and never while a Pass loads pages', async () => {
  let now = 1_000_000;
  let isLoading = false;
  const asked: number[] = [];
  const sleepers: { untilMs: number; wake: () => void }[] = [];
  const clock = openClock({
    epochClock: () => now,
    random: () => 0.4,
    mustRest: () => isLoading,
    sleep: (durationMs) => new Promise((resolve) => sleepers.push({ untilMs: now + durationMs, wake: resolve })),
    request: (agentEpochMs) => {
      asked.push(now);
      queueMicrotask(() => clock.handleReply({ agentEpochMs, receivedEpochMs: now, repliedEpochMs: now }));
    },
  });
  /** Lets the time go to the next instant that somebody waits for. */
  const goOn = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    const next = sleepers.shift()!;
    now = next.untilMs;
    next.wake();
    await new Promise((resolve) => setImmediate(resolve));
  };
  clock.handleConnect();
  await goOn();
  await goOn();
  isLoading = true;
  await goOn();
  isLoading = false;
  await goOn();
  expect(asked.map((epochMs) => epochMs - 1_000_000)).toEqual([
    ...Array<number>(8).fill(0),
    ...Array<number>(4).fill(6000),
    ...Array<number>(4).fill(21_000),
    ...Array<number>(4).fill(51_000),
  ]);
  clock.handleDisconnect();
});

/** A clock by held time, which notes when it is read. Its line breaks, and comes back while pages are loaded. */
async function returnWhileLoading() {
  const time = new HeldTime();
  const state = { isLoading: false };
  const asked: number[] = [];
  const clock = openClock({
    epochClock: time.clock,
    sleep: time.sleep,
    random: () => 0.9,
    mustRest: () => state.isLoading,
    request: (agentEpochMs) => {
      asked.push(time.clock());
      queueMicrotask(() =>
        clock.handleReply({ agentEpochMs, receivedEpochMs: time.clock(), repliedEpochMs: time.clock() }),
      );
    },
  });
  clock.handleConnect();
  await time.pass(1000);
  state.isLoading = true;
  clock.handleDisconnect();
  await time.pass(1000);
  clock.handleConnect();
  asked.length = 0;
  await time.pass(60_000);
  expect(asked).toEqual([]);
  return { time, state, asked, clock };
}

test('a line that comes back while pages are loaded is read within half a second after that', async () => {
  const { time, state, asked, clock } = await returnWhileLoading();
  state.isLoading = false;
  await time.pass(500);
  expect(asked).toHaveLength(8);
  await time.pass(20_000);
  expect(asked).toHaveLength(12);
  clock.handleDisconnect();
  expect(time.sleeperCount).toBe(0);
});

test('a Pass that is about to start while another, or a Capture, is under way does not wait for its end', async () => {
  const { time, asked, clock } = await returnWhileLoading();
  const reading = clock.improve(never);
  await time.pass(500);
  expect((await reading).errorMs).toBe(0);
  expect(asked).toHaveLength(1);
  clock.handleDisconnect();
});

test('a Pass that is about to start asks nothing where the clock is known well, and else in pauses that differ', async () => {
  let wayMs = 0.1;
  let now = 1_000_000;
  let requests = 0;
  const pauses: number[] = [];
  const clock = openClock({
    epochClock: () => now,
    random: () => 0.5,
    sleep: (durationMs, signal) => {
      // The background waits for good.
      if (durationMs > 2000)
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      pauses.push(durationMs);
      now += durationMs;
      return Promise.resolve();
    },
    request: (agentEpochMs) => {
      requests++;
      queueMicrotask(() => {
        const receivedEpochMs = (now += wayMs);
        now += wayMs;
        clock.handleReply({ agentEpochMs, receivedEpochMs, repliedEpochMs: receivedEpochMs });
      });
    },
  });
  clock.handleConnect();
  await clock.improve(never);
  expect(requests).toBe(8);
  await clock.improve(never);
  expect(requests).toBe(8);

  // After two minutes without a reading a drift of 100 ppm might have made 12 ms.
  now += 120_000;
  expect(clock.offset.errorMs).toBeGreaterThan(10);
  wayMs = 0.12;
  expect((await clock.improve(never)).errorMs).toBeLessThan(0.5);
  expect(pauses).toEqual([100]);
  clock.handleDisconnect();
});
