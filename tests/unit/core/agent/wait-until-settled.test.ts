import { expect, test } from 'vitest';
import { waitUntilSettled, type SettlingPage } from '#core/agent/wait-until-settled.ts';
import { awaitedInVainMs } from '#core/metrics/settle-rule.ts';

/** A page on a clock that only sleeping moves. It becomes quiet at `quietAtMs`; with `isSilent` the browser does not report that. */
function createPage({ quietAtMs, isSilent = false }: { quietAtMs: number; isSilent?: boolean }) {
  const clock = { nowMs: 0 };
  let hasEnded = false;
  const end = () => (hasEnded = true);
  const recorder: SettlingPage = {
    isQuiet: () => hasEnded,
    get quietForMs() {
      return hasEnded || isSilent ? clock.nowMs - (hasEnded ? quietAtMs : 0) : 0;
    },
    get nextActivity() {
      if (isSilent || hasEnded) return new Promise<void>(() => undefined);
      clock.nowMs = quietAtMs;
      end();
      return Promise.resolve();
    },
  };
  const sleep = (durationMs: number) => {
    clock.nowMs += durationMs;
    return Promise.resolve();
  };
  return { clock, recorder, sleep, end };
}

test('a page has settled when nothing was in flight for the quiet time and its frames are idle', async () => {
  const { clock, recorder, sleep } = createPage({ quietAtMs: 300 });
  await waitUntilSettled({
    recorder,
    quietMs: 500,
    isIdle: () => Promise.resolve(true),
    sleep,
    signal: new AbortController().signal,
  });
  expect(clock.nowMs).toBe(800);
});

test('frames that are not idle hold it back, but not when they wait in vain', async () => {
  const { clock, recorder, sleep } = createPage({ quietAtMs: 300 });
  await waitUntilSettled({
    recorder,
    quietMs: 500,
    isIdle: () => Promise.resolve(clock.nowMs >= 1000),
    sleep,
    signal: new AbortController().signal,
  });
  expect(clock.nowMs).toBe(1000);
  const vain = createPage({ quietAtMs: 300 });
  await waitUntilSettled({
    recorder: vain.recorder,
    quietMs: 500,
    isIdle: () => Promise.resolve(false),
    sleep: vain.sleep,
    signal: new AbortController().signal,
  });
  expect(vain.clock.nowMs).toBe(300 + 500 + awaitedInVainMs);
});

test('an event that the browser left out is found after half a second', async () => {
  const { clock, recorder, sleep, end } = createPage({ quietAtMs: 0, isSilent: true });
  const lookedAtMs: number[] = [];
  const findMissedEvents = () => {
    lookedAtMs.push(clock.nowMs);
    if (clock.nowMs >= 1000) end();
    return Promise.resolve();
  };
  await waitUntilSettled({
    recorder,
    quietMs: 200,
    isIdle: () => Promise.resolve(true),
    findMissedEvents,
    sleep,
    signal: new AbortController().signal,
  });
  expect(lookedAtMs).toEqual([500, 1000]);
});

test('it ends with the reason of the abort', async () => {
  const { recorder, sleep } = createPage({ quietAtMs: 0, isSilent: true });
  const abort = new AbortController();
  const waiting = waitUntilSettled({
    recorder,
    quietMs: 500,
    isIdle: () => Promise.resolve(true),
    sleep,
    signal: abort.signal,
  });
  abort.abort(new Error('The hard cap'));
  await expect(waiting).rejects.toThrow('The hard cap');
});

test('a page that is replaced while it is asked, and never answers, is asked again (microsoft/playwright#15474)', async () => {
  const replaced = Promise.withResolvers<void>();
  const clock = { nowMs: 500, lastMs: 0 };
  let asked = 0;
  await waitUntilSettled({
    recorder: {
      isQuiet: () => true,
      get quietForMs() {
        return clock.nowMs - clock.lastMs;
      },
      get nextActivity() {
        return asked === 0 ? replaced.promise : new Promise<void>(() => undefined);
      },
    },
    quietMs: 500,
    isIdle: () => {
      asked++;
      if (asked > 1) return Promise.resolve(true);
      clock.lastMs = clock.nowMs;
      replaced.resolve();
      return new Promise<boolean>(() => undefined);
    },
    sleep: (durationMs) => {
      clock.nowMs += durationMs;
      return Promise.resolve();
    },
    signal: new AbortController().signal,
  });
  expect(asked).toBe(2);
});
