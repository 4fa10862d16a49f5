import { expect, test } from 'vitest';
import { Together } from '#controller/database/together.ts';
import { HeldTime } from '../../../support/held-time.ts';

test('what comes alone is done at once, and what comes during a call together', async () => {
  const time = new HeldTime();
  const calls: (readonly number[])[] = [];
  const doubles = new Together(async (items: readonly number[]) => {
    calls.push(items);
    await time.sleep(5);
    return items.map((item) => 2 * item);
  });
  const first = doubles.add(1);
  await time.pass(5);
  expect(await first).toBe(2);
  const later = Promise.all([2, 3, 4].map((item) => doubles.add(item)));
  await time.pass(10);
  expect(await later).toEqual([4, 6, 8]);
  expect(calls).toEqual([[1], [2], [3, 4]]);
});

test('a call that fails rejects its own items, and no later ones', async () => {
  let fails = true;
  const parts = new Together((items: readonly string[]) =>
    fails ? Promise.reject(new Error('away')) : Promise.resolve(items),
  );
  await expect(parts.add('a')).rejects.toThrow('away');
  fails = false;
  expect(await parts.add('b')).toBe('b');
});

test('it rests after each call, and then does what came meanwhile', async () => {
  const time = new HeldTime();
  const calls: (readonly number[])[] = [];
  const work = (items: readonly number[]) => {
    calls.push(items);
    return Promise.resolve(items);
  };
  const resting = new Together(work, { restMs: 40, sleep: time.sleep });
  await resting.add(1);
  const later = Promise.all([resting.add(2), resting.add(3)]);
  await time.pass(39);
  expect(calls).toEqual([[1]]);
  await time.pass(1);
  await later;
  expect(calls).toEqual([[1], [2, 3]]);
});
