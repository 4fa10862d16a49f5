import fc from 'fast-check';
import { expect, it } from 'vitest';
import { listLooks, type Look } from '#web-ui/src/pages/visit/list-film-looks.ts';
import { describeLooks, placeLooks } from '#web-ui/src/pages/visit/film-of-visit.tsx';

const startEpochMs = 1_800_000_000_000;

function looksAt(...times: number[]): Look[] {
  const frames = times.map((ms, index) => ({ sha256: String(index), bytes: 1, shownEpochMs: startEpochMs + ms }));
  return listLooks({ kind: 'kept', frames, leftOut: 0, isLastLate: false }, startEpochMs);
}

it('times of looks are from navigation start, and what was there before is from 0 on', () => {
  expect(looksAt(-12, 250, 900)).toEqual([
    { sha256: '0', atMs: 0, shownForMs: 250, isLate: false },
    { sha256: '1', atMs: 250, shownForMs: 650, isLate: false },
    { sha256: '2', atMs: 900, shownForMs: null, isLate: false },
  ]);
});

it('looks without room are counted in words that fit their number', () => {
  const words = (hidden: number) => describeLooks({ count: 9, hidden, leftOut: 0, isLastLate: false });
  expect([words(1), words(2)].map((text) => text.split('. ')[1])).toEqual([
    '1 is only in the enlarged view.',
    '2 are only in the enlarged view.',
  ]);
  const kept = (leftOut: number) => describeLooks({ count: 9, hidden: 0, leftOut, isLastLate: false });
  expect([kept(1), kept(2)].map((text) => text.split(', ').at(-1))).toEqual(['was not kept.', 'were not kept.']);
});

const room = { endMs: 1000, widthPx: 1000, pictureWidthPx: 100, gapPx: 10 };

it('pictures that have room begin at their times, and others as near as they can', () => {
  expect(placeLooks(looksAt(0, 300, 320, 700), room)).toEqual([
    { index: 0, leftPx: 0, timePx: 0 },
    { index: 1, leftPx: 300, timePx: 300 },
    { index: 2, leftPx: 410, timePx: 320 },
    { index: 3, leftPx: 700, timePx: 700 },
  ]);
});

it('the last ones are moved to the left, so that none leaves the axis', () => {
  expect(placeLooks(looksAt(0, 900, 990), room).map(({ leftPx }) => leftPx)).toEqual([0, 790, 900]);
});

it('where there is no room for all, those shown for the shortest times are left out', () => {
  const placed = placeLooks(looksAt(0, 500, 510, 700, 1000), { ...room, widthPx: 430 });
  expect(placed.map(({ index }) => index)).toEqual([0, 2, 3, 4]);
  expect(placed.map(({ timePx }) => timePx)).toEqual([0, 219.3, 301, 430]);
});

it('no picture covers another or leaves the axis, and the first and the last look are among them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 210, max: 1500 }),
      (steps, widthPx) => {
        let now = 0;
        const looks = looksAt(...steps.map((step) => (now += step)));
        const placed = placeLooks(looks, { ...room, widthPx, endMs: now * 1.02 + 1 });
        expect(placed[0]!.index).toBe(0);
        expect(placed.at(-1)!.index).toBe(looks.length - 1);
        expect(placed).toHaveLength(Math.min(looks.length, Math.floor((widthPx + room.gapPx) / 110)));
        for (const [place, { leftPx }] of placed.entries()) {
          expect(leftPx).toBeGreaterThanOrEqual(place === 0 ? 0 : placed[place - 1]!.leftPx + 110);
          expect(leftPx).toBeLessThanOrEqual(widthPx - room.pictureWidthPx);
        }
      },
    ),
  );
});
