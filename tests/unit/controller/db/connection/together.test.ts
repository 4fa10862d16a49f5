import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Together } from '#controller/db/connection/together.ts';

test('what comes alone is done at once, and what comes during a call together', async () => {
  const calls: (readonly number[])[] = [];
  const doubles = new Together(async (items: readonly number[]) => {
    calls.push(items);
    await sleep(5);
    return items.map((item) => 2 * item);
  });
  expect(await doubles.add(1)).toBe(2);
  expect(await Promise.all([2, 3, 4].map((item) => doubles.add(item)))).toEqual([4, 6, 8]);
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
  const calls: { items: readonly number[]; atMs: number }[] = [];
  const resting = new Together(
    (items: readonly number[]) => {
      calls.push({ items, atMs: performance.now() });
      return Promise.resolve(items);
    },
    { restMs: 40 },
  );
  await resting.add(1);
  await Promise.all([resting.add(2), resting.add(3)]);
  expect(calls.map(({ items }) => items)).toEqual([[1], [2, 3]]);
  expect(calls[1]!.atMs - calls[0]!.atMs).toBeGreaterThanOrEqual(38);
});
