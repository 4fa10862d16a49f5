import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FrameChoice } from '#agent/engines/browser/frame-choice.ts';

const base64 = (look: string) => Buffer.from(look).toString('base64');

/** Adds looks at their times; what was chosen, as looks at times again. */
function choose(shown: [look: string, shownEpochMs: number][], limits?: { frames: number; bytes: number }) {
  const choice = new FrameChoice(limits);
  for (const [look, shownEpochMs] of shown) choice.add({ shownEpochMs, base64: base64(look) });
  return {
    frames: choice.frames.map(({ shownEpochMs, base64: picture }) => [
      Buffer.from(picture, 'base64').toString(),
      shownEpochMs,
    ]),
    leftOut: choice.leftOut,
  };
}

it('keeps the first frame of each look, also of one that was there before', () => {
  expect(
    choose([
      ['white', 1],
      ['white', 17],
      ['blue', 33],
      ['blue', 50],
      ['white', 66],
    ]),
  ).toEqual({
    frames: [
      ['white', 1],
      ['blue', 33],
      ['white', 66],
    ],
    leftOut: 0,
  });
});

it('takes frames that come in another order than they were shown in', () => {
  expect(
    choose([
      ['white', 1],
      ['whole', 50],
      ['half', 33],
    ]),
  ).toEqual({
    frames: [
      ['white', 1],
      ['half', 33],
      ['whole', 50],
    ],
    leftOut: 0,
  });
  expect(
    choose([
      ['white', 1],
      ['whole', 50],
      ['whole', 33],
      ['white', 17],
    ]),
  ).toEqual({
    frames: [
      ['white', 1],
      ['whole', 33],
    ],
    leftOut: 0,
  });
});

it('leaves out what was shown for the shortest times where there are too many, and says how many', () => {
  const shown: [string, number][] = [
    ['first', 0],
    ['long', 10],
    ['blink', 500],
    ['also long', 510],
    ['last', 900],
  ];
  expect(choose(shown, { frames: 4, bytes: 1000 })).toEqual({
    frames: [
      ['first', 0],
      ['long', 10],
      ['also long', 510],
      ['last', 900],
    ],
    leftOut: 1,
  });
});

it('takes two equal looks for one when what parted them had no room', () => {
  expect(
    choose(
      [
        ['white', 0],
        ['blink', 500],
        ['white', 510],
        ['last', 900],
      ],
      { frames: 3, bytes: 1000 },
    ),
  ).toEqual({
    frames: [
      ['white', 0],
      ['last', 900],
    ],
    leftOut: 1,
  });
});

it('keeps of what was shown before the Visit what was there when it began', () => {
  const choice = new FrameChoice();
  const add = (look: string, shownEpochMs: number) => choice.add({ shownEpochMs, base64: base64(look) });
  choice.begin();
  add('small', 1);
  add('white', 2);
  choice.begin();
  add('white', 10);
  add('blue', 20);
  expect(choice.frames).toEqual([
    { shownEpochMs: 2, base64: base64('white') },
    { shownEpochMs: 20, base64: base64('blue') },
  ]);
});

it('keeps to its bytes', () => {
  const { frames, leftOut } = choose(
    [
      ['1234', 0],
      ['5678', 10],
      ['90ab', 30],
      ['cdef', 60],
    ],
    { frames: 60, bytes: 12 },
  );
  expect({ frames, leftOut }).toEqual({
    frames: [
      ['1234', 0],
      ['90ab', 30],
      ['cdef', 60],
    ],
    leftOut: 1,
  });
});

it('leaves two frames of one instant in the order in which they came', () => {
  expect(
    choose([
      ['one', 20],
      ['other', 20],
      ['third', 20],
    ]).frames,
  ).toEqual([
    ['one', 20],
    ['other', 20],
    ['third', 20],
  ]);
});

it('keeps the limits, the first and the last look with any input, and makes no frame up', () => {
  const step = fc.tuple(fc.stringMatching(/^[a-d]{1,8}$/), fc.integer({ min: 0, max: 40 }));
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 2, max: 8 }),
      fc.integer({ min: 20, max: 60 }),
      (steps, frames, bytes) => {
        let now = 0;
        const shown = steps.map(([look, afterMs]): [string, number] => [look, (now += afterMs)]);
        const chosen = choose(shown, { frames, bytes });
        const looks = chosen.frames.map(([look]) => String(look));
        const changes = shown.filter(([look], index) => look !== shown[index - 1]?.[0]);
        expect(looks.length).toBeLessThanOrEqual(frames);
        expect(looks.join('').length).toBeLessThanOrEqual(bytes);
        expect([looks[0], looks.at(-1)]).toEqual([shown[0]![0], shown.at(-1)![0]]);
        for (const frame of chosen.frames) expect(changes).toContainEqual(frame);
        for (const [index, look] of looks.entries()) expect(look).not.toBe(looks[index - 1]);
        expect(looks.length + chosen.leftOut).toBeLessThanOrEqual(changes.length);
      },
    ),
  );
});
