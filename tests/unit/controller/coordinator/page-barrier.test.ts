import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PageBarrier } from '#controller/coordinator/page-barrier.ts';

test('a page begins for all when the last of them is past the one before', () => {
  const barrier = new PageBarrier(['gold', 'silver', 'bronze']);
  expect(barrier.arrive('gold', 1)).toEqual([]);
  expect(barrier.arrive('bronze', 1)).toEqual([]);
  expect([...barrier.loading]).toEqual(['silver']);
  expect(barrier.arrive('silver', 1).toSorted()).toEqual(['bronze', 'gold', 'silver']);
  expect(barrier.page).toBe(1);
});

test('one whose Pass has ended holds up no other, be it before the others wait or while they do', () => {
  const barrier = new PageBarrier(['short', 'long', 'longest']);
  expect(barrier.leave('short')).toEqual([]);
  expect(barrier.arrive('longest', 1)).toEqual([]);
  expect(barrier.arrive('long', 1).toSorted()).toEqual(['long', 'longest']);
  expect(barrier.arrive('longest', 2)).toEqual([]);
  expect(barrier.leave('long')).toEqual(['longest']);
  expect(barrier.leave('longest')).toEqual([]);
});

test('one that missed the start may begin alone, and what it says twice moves nobody', () => {
  const barrier = new PageBarrier(['ann', 'bob']);
  expect(barrier.arrive('ann', 1)).toEqual([]);
  expect(barrier.arrive('ann', 1)).toEqual([]);
  barrier.arrive('bob', 1);
  expect(barrier.arrive('ann', 1)).toEqual(['ann']);
  expect(barrier.arrive('ann', 3)).toEqual([]);
  expect(barrier.arrive('nobody', 2)).toEqual([]);
  expect(barrier.page).toBe(1);
});

test('in whichever order users end their pages, none is two pages ahead of another, and all come to their end', () => {
  const runs = fc.tuple(
    fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 6 }),
    fc.infiniteStream(fc.nat()),
  );
  fc.assert(
    fc.property(runs, ([lengths, draws]) => {
      const names = lengths.map((_, index) => `user ${index}`);
      const barrier = new PageBarrier(names);
      const at = new Map(names.map((name) => [name, 0]));
      const loading = new Set(names);
      while (loading.size > 0) {
        const name = [...loading][draws.next().value % loading.size]!;
        loading.delete(name);
        const page = at.get(name)!;
        const isLast = page + 1 === lengths[names.indexOf(name)];
        if (isLast) at.delete(name);
        for (const each of isLast ? barrier.leave(name) : barrier.arrive(name, page + 1)) {
          at.set(each, at.get(each)! + 1);
          loading.add(each);
        }
        expect(new Set(at.values()).size).toBeLessThan(2);
      }
      expect(at.size).toBe(0);
    }),
  );
});
