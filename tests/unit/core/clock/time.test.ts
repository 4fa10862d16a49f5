import { expect, test } from 'vitest';
import { actAfter, actEvery, oneAtATime, realTime } from '#core/clock/time.ts';
import { HeldTime, settle } from '../../../support/held-time.ts';

const never = () => new AbortController().signal;

test.each([
  ['real', realTime],
  ['held', new HeldTime()],
])('a sleep in %s time that is aborted, before it or during it, rejects with the reason', async (_, time) => {
  const abort = new AbortController();
  const sleeping = time.sleep(3_600_000, abort.signal);
  abort.abort(new Error('enough'));
  await expect(sleeping).rejects.toThrow('enough');
  await expect(time.sleep(0, abort.signal)).rejects.toThrow('enough');
});

test('in real time who sleeps for long is asleep when the others wake up', async () => {
  const abort = new AbortController();
  let hasWoken = false;
  const long = realTime.sleep(3_600_000, abort.signal).finally(() => (hasWoken = true));
  await Promise.all([realTime.sleep(20, never()), realTime.sleep(0, never())]);
  expect(hasWoken).toBe(false);
  abort.abort(new Error('enough'));
  await expect(long).rejects.toThrow('enough');
});

test('what is to be done once is done once, and not at all after an abort', async () => {
  const time = new HeldTime();
  const done: string[] = [];
  const abort = new AbortController();
  actAfter(1_000, () => done.push('kept'), { sleep: time.sleep, signal: never() });
  actAfter(1_000, () => done.push('dropped'), { sleep: time.sleep, signal: abort.signal });
  await time.pass(999);
  expect(done).toEqual([]);
  abort.abort();
  await time.pass(60_000);
  expect(done).toEqual(['kept']);
});

test('what is to be done again and again is, and once where the process stood still', async () => {
  const time = new HeldTime();
  const abort = new AbortController();
  let count = 0;
  const act = () => {
    if (++count === 13) abort.abort(); // from within, too
  };
  actEvery(1_000, act, { sleep: time.sleep, signal: abort.signal });
  await time.pass(10_999);
  expect(count).toBe(10);
  await time.standStill(3_600_000);
  expect(count).toBe(11);
  await time.pass(60_000);
  await settle();
  expect([count, time.sleeperCount]).toEqual([13, 0]);
});

test('work that is done one at a time is left out while it is under way, and not afterwards', async () => {
  const works: PromiseWithResolvers<void>[] = [];
  const act = oneAtATime(() => {
    works.push(Promise.withResolvers());
    return works.at(-1)!.promise;
  });
  for (let times = 0; times < 3; times++) act();
  expect(works).toHaveLength(1);
  works[0]!.resolve();
  await settle();
  for (let times = 0; times < 3; times++) act();
  expect(works).toHaveLength(2);
});
