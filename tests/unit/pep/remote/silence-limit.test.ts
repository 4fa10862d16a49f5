import { expect, test } from 'vitest';
import { SilenceLimit } from '#pep/remote/silence-limit.ts';

const limitAfter = (...roundTripsMs: number[]) => {
  const limit = new SilenceLimit();
  for (const each of roundTripsMs) limit.add(each);
  return limit.ms;
};

test.each<[string, number[], number]>([
  ['nothing is known', [], 1700],
  ['round trips are those of a GEO satellite', [600, 590, 600], 1700],
  ['a queue of others makes them longer', [600, 2000, 700], 4500],
  ['they were longer some time ago', [2000, ...Array.from({ length: 8 }, () => 700)], 1900],
  ['they are as long as can be', [4000], 8500],
  ['the link was cut for a time', [600, 60_000, 600], 1700],
])('how long the ground end may be silent, when %s', (_, roundTripsMs, limitMs) => {
  expect(limitAfter(...roundTripsMs)).toBe(limitMs);
});
