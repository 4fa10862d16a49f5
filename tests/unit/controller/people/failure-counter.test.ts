import { expect, test } from 'vitest';
import { FailureCounter } from '#controller/people/limit-attempts.ts';
import { HeldTime } from '#tests/support/held-time.ts';

test('failures are counted for a quarter of an hour, each by itself', async () => {
  const time = new HeldTime();
  const failures = new FailureCounter(time.clock);
  expect([failures.add('a'), failures.add('a'), failures.add('b')]).toEqual([1, 2, 1]);
  await time.pass(15 * 60_000 - 1);
  expect(failures.add('a')).toBe(3);
  await time.pass(1);
  expect(failures.add('a')).toBe(1);
});

test('a flood of names takes no more memory, and who fails all the time stays counted', () => {
  const failures = new FailureCounter(() => 0);
  for (let index = 0; index < 100_000; index++) {
    failures.add(`stranger ${index}`);
    failures.add('steady');
  }
  expect(failures.size).toBeLessThanOrEqual(20_000);
  expect(failures.size).toBeGreaterThanOrEqual(10_000);
  for (let index = 99_999; index > 90_010; index--) expect(failures.add(`stranger ${index}`)).toBe(2);
  expect(failures.add('steady')).toBe(100_001);
});
