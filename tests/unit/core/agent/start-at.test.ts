import { expect, test } from 'vitest';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { sleep } from '#agent/sleep.ts';
import { startAt } from '#core/agent/start-at.ts';

const takeTurns = () => new Promise<void>((resolve) => setImmediate(resolve));

test('it resolves at the instant, never before', async () => {
  const instantMs = epochClock() + 60;
  await startAt(instantMs, { epochClock, sleep, takeTurns, signal: new AbortController().signal });
  expect(epochClock()).toBeGreaterThanOrEqual(instantMs);
});

test('an instant that is past is now', async () => {
  const beforeMs = epochClock();
  await startAt(beforeMs - 1000, {
    epochClock,
    sleep: (durationMs, signal) => (expect(durationMs).toBe(0), sleep(durationMs, signal)),
    takeTurns,
    signal: new AbortController().signal,
  });
});

test('it ends with the reason of the abort', async () => {
  const abort = new AbortController();
  const waiting = startAt(epochClock() + 60_000, { epochClock, sleep, takeTurns, signal: abort.signal });
  abort.abort(new Error('The Pass was cancelled'));
  await expect(waiting).rejects.toThrow('The Pass was cancelled');
});
