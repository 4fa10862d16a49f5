import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawRests } from '#controller/coordinator/order-passes.ts';

const place = fc.record({ seed: fc.integer(), block: fc.nat(1000), userIndex: fc.nat(499) });

test('a fixed rest is the same before every Visit', () => {
  expect(drawRests(250, { seed: 1, block: 1, userIndex: 0 }, 3)).toEqual([250, 250, 250]);
});

test('think times come from the seed, the Block and the User Agent alone; nobody thinks before the first Visit', () => {
  fc.assert(
    fc.property(place, fc.integer({ min: 1, max: 600_000 }), fc.integer({ min: 1, max: 50 }), (where, mean, visits) => {
      const rests = drawRests({ exponential: mean }, where, visits);
      expect(rests).toEqual(drawRests({ exponential: mean }, where, visits));
      expect(rests[0]).toBe(0);
      // A longer list of URLs begins alike.
      expect(drawRests({ exponential: mean }, where, visits + 1).slice(0, visits)).toEqual(rests);
      for (const rest of rests) {
        expect(Number.isInteger(rest)).toBe(true);
        expect(rest).toBeGreaterThanOrEqual(0);
        expect(rest).toBeLessThanOrEqual(10 * mean);
      }
    }),
  );
});

test('User Agents and Blocks have think times of their own', () => {
  const of = (seed: number, block: number, userIndex: number) =>
    drawRests({ exponential: 100_000 }, { seed, block, userIndex }, 4).join();
  const all = [1, 2].flatMap((seed) =>
    [1, 2, 3].flatMap((block) => [0, 1, 2].map((userIndex) => of(seed, block, userIndex))),
  );
  expect(new Set(all).size).toBe(all.length);
});

test('think times have the exponential distribution with their mean', () => {
  const mean = 1000;
  const rests = [1, 2, 3, 4, 5].flatMap((block) =>
    drawRests({ exponential: mean }, { seed: 7, block, userIndex: 0 }, 20_001).slice(1),
  );
  const share = (most: number) => rests.filter((rest) => rest <= most).length / rests.length;
  // Of 100,000 draws: ± 4 standard errors.
  expect(Math.abs(rests.reduce((sum, rest) => sum + rest, 0) / rests.length / mean - 1)).toBeLessThan(0.0127);
  for (const most of [100, 500, 1000, 3000]) {
    const expected = 1 - Math.exp(-most / mean);
    const error = Math.sqrt((expected * (1 - expected)) / rests.length);
    // Half a millisecond is rounded away.
    expect(Math.abs(share(most) - expected)).toBeLessThan(4 * error + 0.0006);
  }
});
