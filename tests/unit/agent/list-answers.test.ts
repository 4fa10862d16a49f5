import { expect, test } from 'vitest';
import { askInTurns, collectReports, explainSilence, listAnswers } from '#agent/engines/browser/collected-frames.ts';
import { makeFrame } from '../core/metrics/support/snapshot-parts.ts';

const never = () => new Promise<never>(() => undefined);

test('thousands of frames are asked some at a time, and answer in their order', async () => {
  let underWay = 0;
  let most = 0;
  const questions = Array.from({ length: 2100 }, (_, index) => async () => {
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay--;
    return index;
  });
  const answers = await listAnswers(questions, new AbortController().signal);
  expect(answers).toEqual(questions.map((_, index) => index));
  expect(most).toBe(32);
});

test('as many frames as are asked at a time do not hold up the others where they never answer', async () => {
  const over = new AbortController();
  const answered = () => {
    over.abort(new Error('enough'));
    return Promise.resolve('answered');
  };
  const answers = await askInTurns([...Array.from({ length: 32 }, () => never), answered, never], over.signal);
  expect(answers.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 32 }, () => 'rejected'),
    'fulfilled',
    'rejected',
  ]);
});

test('a frame without a report says why: it went away, has too much, or did not answer', async () => {
  const over = new AbortController();
  const tooMuch = { ...makeFrame({ path: [1] }), prefetchUrls: Array.from({ length: 10_001 }, () => '') };
  const { frames, silences } = await collectReports(
    [
      { isPage: false, report: () => Promise.reject(new Error('No such frame')) },
      { isPage: false, report: () => Promise.resolve(tooMuch) },
      { isPage: true, report: never },
      {
        isPage: false,
        report: () => {
          setImmediate(() => over.abort(new Error('enough')));
          return Promise.resolve(makeFrame({ path: [0] }));
        },
      },
    ],
    over.signal,
  );
  expect(frames.map(({ path }) => path)).toEqual([[0]]);
  expect(silences).toEqual([
    { isPage: true, silence: { kind: 'no-answer' } },
    { isPage: false, silence: { kind: 'gone', detail: 'No such frame' } },
    {
      isPage: false,
      silence: {
        kind: 'too-large',
        detail: 'A frame of the page has more than 10000 prefetchUrls, which is more than a Snapshot takes',
      },
    },
  ]);
});

test.each([
  [3, 'The page did not answer for 10000 ms: a script of it does not end'],
  [
    2100,
    'The page did not answer for 10000 ms: the browser is busy with its 2100 frames, or a script of it does not end',
  ],
])('a page of %d frames that does not answer is explained', (frameCount, message) => {
  const about = { withinMs: 10_000, isAnswering: false, shownUrl: null, frameCount };
  expect(explainSilence({ kind: 'no-answer' }, about)).toMatchObject({ code: 'timeout', message });
});
