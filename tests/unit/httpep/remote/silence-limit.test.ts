import { expect, test } from 'vitest';
import { SilenceLimit } from '#httpep/remote/silence-watch.ts';

test('until a round trip is known, the ground end may be as far as can be, unless it cannot be reached', () => {
  const limit = new SilenceLimit();
  expect(limit.ms).toBe(6300);
  limit.noteFailure();
  expect(limit.ms).toBe(1700);
  limit.add(2000);
  expect(limit.ms).toBe(3300);
});

const limitAfter = (...roundTripsMs: number[]) => {
  const limit = new SilenceLimit();
  for (const each of roundTripsMs) limit.add(each);
  return limit.ms;
};

test.each<[string, number[], number]>([
  ['round trips are those of a GEO satellite', [600, 590, 600], 1700],
  ['there is a short queue', [600, 900, 930, 800], 1700],
  ['a queue of others makes them longer', [600, 2000, 1800, 700], 3000],
  ['only one is known', [2000], 3300],
  ['there was one short cut of the link', [600, 2000, 700], 1700],
  ['they were longer some time ago', [2000, 2000, ...Array.from({ length: 8 }, () => 1000)], 1800],
  ['they are as long as can be', [4000, 4000], 6300],
  ['the link was cut for a time', [600, 60_000, 60_000], 1700],
  ['it was cut before anything was known', [60_000], 6300],
])('how long the ground end may be silent, when %s', (_, roundTripsMs, limitMs) => {
  expect(limitAfter(...roundTripsMs)).toBe(limitMs);
});
