import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { allSettled } from '#core/all-settled.ts';

test('all values are returned, in their order', async () => {
  const [number, text] = await allSettled([pause(5, 1), pause(1, 'a')]);
  expect([number, text]).toEqual([1, 'a']);
});

test('the first failure is thrown when all others are over', async () => {
  let isOver = false;
  const slow = pause(20).then(() => (isOver = true));
  await expect(allSettled([Promise.reject(new Error('first')), slow])).rejects.toThrow('first');
  expect(isOver).toBe(true);
});
