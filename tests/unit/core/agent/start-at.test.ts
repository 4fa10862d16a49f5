import { expect, test } from 'vitest';
import { startAt } from '#core/agent/pass-runner.ts';
import { HeldTime, settle } from '../../../support/held-time.ts';

/** A wait for an instant so long after now. Other work has a tenth of a millisecond at each of its turns. */
function wait(durationMs: number) {
  const time = new HeldTime();
  const abort = new AbortController();
  const state = { time, abort, turns: 0, end: null as string | null };
  const surroundings = {
    epochClock: time.clock,
    sleep: time.sleep,
    takeTurns: () => (state.turns++, time.sleep(0.1)),
    signal: abort.signal,
  };
  void startAt(time.clock() + durationMs, surroundings).then(
    () => (state.end = 'at the instant'),
    (error: unknown) => (state.end = (error as Error).message),
  );
  return state;
}

test('it resolves at the instant, never before, and sleeps until shortly before', async () => {
  const waiting = wait(60);
  await waiting.time.pass(39.9);
  expect(waiting.turns).toBe(0);
  await waiting.time.pass(20);
  expect(waiting.end).toBeNull();
  expect(waiting.turns).toBeGreaterThan(190);
  await waiting.time.pass(0.2);
  expect(waiting.end).toBe('at the instant');
});

test.each([0, -1000])('an instant that is %d ms away is now', async (durationMs) => {
  const waiting = wait(durationMs);
  await waiting.time.pass(0);
  expect([waiting.end, waiting.turns]).toEqual(['at the instant', 0]);
});

test('a sleep that ends too late costs no more than that', async () => {
  const waiting = wait(60);
  await waiting.time.standStill(500);
  expect([waiting.end, waiting.turns]).toEqual(['at the instant', 0]);
});

test('it ends with the reason of the abort', async () => {
  const waiting = wait(60_000);
  await waiting.time.pass(1_000);
  waiting.abort.abort(new Error('The Pass was cancelled'));
  await settle();
  expect([waiting.end, waiting.time.sleeperCount]).toEqual(['The Pass was cancelled', 0]);
});
