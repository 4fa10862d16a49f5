import { expect, test } from 'vitest';
import { chooseBatch, toSpooled, type SpooledVisit } from '#extension/background/spool.ts';
import type { SentVisit } from '#core/protocol/sent-visit.ts';

const visit = { id: 'a', outcome: { status: 'failed' } } as unknown as SentVisit;
const spooled = (bytes: number, refusal: string | null = null): SpooledVisit => ({ visit, bytes, refusal });
const sizesOf = (list: SpooledVisit[]) => chooseBatch(list).map(({ bytes }) => bytes);
const mebibyte = 1024 * 1024;

test('a Visit has the bytes of its JSON and of its Snapshot', () => {
  const own = JSON.stringify(visit).length;
  expect(toSpooled({ visit, snapshot: null })).toEqual({ visit, snapshot: null, bytes: own, refusal: null });
  expect(toSpooled({ visit, snapshot: new Uint8Array(1000) })).toMatchObject({ bytes: own + 1000, refusal: null });
});

test('a message has the oldest Visits, at most 50 and 1 MiB, and one at least', () => {
  expect(chooseBatch([])).toEqual([]);
  expect(sizesOf([spooled(1), spooled(2)])).toEqual([1, 2]);
  expect(sizesOf(Array.from({ length: 51 }, (_, index) => spooled(index)))).toEqual(
    Array.from({ length: 50 }, (_, index) => index),
  );
  expect(sizesOf([spooled(mebibyte - 1), spooled(1), spooled(1)])).toEqual([mebibyte - 1, 1]);
  expect(sizesOf([spooled(2 * mebibyte), spooled(1)])).toEqual([2 * mebibyte]);
});

test('what the Controller refused is left out, and takes no room', () => {
  expect(sizesOf([spooled(3 * mebibyte, 'unknown Pass'), spooled(1), spooled(2, 'refused'), spooled(3)])).toEqual([
    1, 3,
  ]);
});
