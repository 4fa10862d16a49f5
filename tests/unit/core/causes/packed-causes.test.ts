import { expect, test } from 'vitest';
import { causeIds, packCauses, placeOfParts, readParts, unpackParts } from '#core/causes/causes.ts';

const parts = (first: number) => causeIds.map((_, place) => first + place / 8);
const packed = packCauses({ baseMs: { parts: parts(1.5) }, viewportMs: null, totalMs: { parts: parts(1e9) } });

test('causes are read as they were packed, of each latency by itself', () => {
  expect(unpackParts(packed, 'baseMs')).toEqual(parts(1.5));
  expect(unpackParts(packed, 'totalMs')).toEqual(parts(1e9));
});

test('causes of a latency that is absent, and of which nothing or something else is stored, are null', () => {
  expect(unpackParts(packed, 'viewportMs')).toBeNull();
  expect(unpackParts(null, 'baseMs')).toBeNull();
  expect(unpackParts(packed.subarray(0, 8), 'baseMs')).toBeNull();
  expect(readParts(packed)).toBeNull();
});

test('a part is stored as a double with its least byte first, at the place of its latency', () => {
  const { start, length } = placeOfParts('totalMs');
  expect(start + length).toBe(packed.length);
  expect(Buffer.from(packed).readDoubleLE(start + 8)).toBe(1e9 + 1 / 8);
});
