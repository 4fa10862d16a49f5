import { expect, test } from 'vitest';
import { allSettled } from '#core/waiting.ts';
import { settle } from '../../support/held-time.ts';

test('all values are returned, in their order', async () => {
  const late = Promise.withResolvers<number>();
  const all = allSettled([late.promise, Promise.resolve('a')]);
  await settle();
  late.resolve(1);
  const [number, text] = await all;
  expect([number, text]).toEqual([1, 'a']);
});

test('the first failure is thrown when all others are over', async () => {
  const slow = Promise.withResolvers<void>();
  let problem: unknown = null;
  void allSettled([Promise.reject(new Error('first')), slow.promise, Promise.reject(new Error('second'))]).catch(
    (error: unknown) => (problem = (error as Error).message),
  );
  await settle();
  expect(problem).toBeNull();
  slow.resolve();
  await settle();
  expect(problem).toBe('first');
});
