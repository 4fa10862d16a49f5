import { expect, it } from 'vitest';
import { chooseVideoRate } from '#testbed/background/video-player.ts';

const ladder = [200, 400, 800, 1600];
/** What the buffer maps to, between 200 at 8 s and 1600 at 24 s. */
const mapped = (bufferMs: number) => 200 + (1400 * (bufferMs - 8_000)) / 16_000;

it.each([
  ['the lowest rate up to the reservoir', 8_000, 1600, 200],
  ['the highest from the end of the cushion on', 24_000, 200, 1600],
  ['the rate before, while the buffer maps between its neighbours', 12_000, 400, 400],
  ['the highest rate below what the buffer maps to, once that reaches the next rate', 20_000, 200, 800],
  ['the lowest rate above what the buffer maps to, once that falls to the rate below', 14_000, 1600, 800],
])('it is %s', (_, bufferMs, previousKbps, expected) => {
  expect(chooseVideoRate(ladder, { bufferMs, previousKbps })).toBe(expected);
});

it('holds the cases above to the map', () => {
  expect([mapped(12_000), mapped(14_000), mapped(20_000)]).toEqual([550, 725, 1250]);
});

it('is the only rate of a ladder of one', () => {
  for (const bufferMs of [0, 12_000, 30_000]) expect(chooseVideoRate([500], { bufferMs, previousKbps: 500 })).toBe(500);
});
