import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeMarkers } from '#web-ui/src/pages/visit/time-table.tsx';
import type { VisitMarker } from '#web-ui/src/pages/visit/visit-markers.ts';

const marker = (label: string, atMs: number): VisitMarker => ({ metric: 'baseMs', label, atMs, dash: '' });

test('moments at one place have one name, those apart their own, each where it stands', () => {
  const placed = placeMarkers([marker('total', 900), marker('base', 100), marker('viewport', 901)], {
    endMs: 1000,
    widthPx: 1000,
  });
  expect(placed.map(({ text, row }) => [text, row])).toEqual([
    ['base', 0],
    ['total = viewport', 0],
  ]);
  expect(placed[0]!.leftPx).toBe(102);
});

test('no name covers another, and none leaves the axis', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 8 }), (times) => {
      const placed = placeMarkers(
        times.map((atMs, index) => marker(`mark ${index}`, atMs)),
        { endMs: 1000, widthPx: 600 },
      );
      for (const [index, one] of placed.entries()) {
        expect(one.leftPx).toBeGreaterThanOrEqual(0);
        for (const other of placed.slice(index + 1).filter(({ row }) => row === one.row)) {
          const [left, right] = one.leftPx < other.leftPx ? [one, other] : [other, one];
          expect(right.leftPx - left.leftPx).toBeGreaterThanOrEqual(6 * left.text.length);
        }
      }
    }),
  );
});
