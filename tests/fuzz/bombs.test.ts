import { expect, test } from 'vitest';
import { detonate } from './support/detonate.ts';
import { allBombs, chooseBombs, chooseFewBombs, describeBomb } from './support/snapshot-bombs.ts';

test('Snapshots that grow, a few of each part, place and packing, cost themselves only', async () => {
  const bombs = chooseFewBombs(2 ** 20);
  const { ended, refused, problems } = await detonate(bombs);
  expect(problems).toEqual([]);
  expect(ended + refused).toBe(bombs.length);
});

test('one that fills the memory of its process ends that process, and no other', async () => {
  const bombs = allBombs.filter(
    ({ part, place, packing, depth, bytes }) =>
      part === 'objects' && place === 'requests' && packing === 'zstd' && depth < 2 && bytes === 2 ** 23,
  );
  expect(await detonate(bombs)).toEqual({ ended: 2, refused: 0, problems: [] });
});

test('there are ten thousand kinds and more, no two of them alike', () => {
  expect(allBombs.length).toBeGreaterThan(10_000);
  expect(new Set(allBombs.map(describeBomb)).size).toBe(allBombs.length);
  expect(new Set(chooseBombs(10_000, 7).map(describeBomb)).size).toBe(10_000);
});
