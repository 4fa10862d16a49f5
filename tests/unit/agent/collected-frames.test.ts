import { expect, test } from 'vitest';
import { answerOf } from '#core/agent/frame-answers.ts';
import { collectReports, explainSilence } from '#agent/engines/browser/collected-frames.ts';
import { makeFrame } from '../core/metrics/support/snapshot-parts.ts';

const never = () => new Promise<never>(() => undefined);

test('a frame without a report says why: it went away, has too much, or did not answer', async () => {
  const over = new AbortController();
  const tooMuch = { ...makeFrame({ path: [1] }), prefetchUrls: Array.from({ length: 10_001 }, () => '') };
  const { frames, silences } = await collectReports(
    [
      { isPage: false, url: 'one', report: () => Promise.reject(new Error('No such frame')) },
      { isPage: false, url: 'two', report: () => Promise.resolve(tooMuch) },
      { isPage: true, url: 'page', report: never },
      { isPage: false, url: 'busy', report: () => answerOf(never(), 0) },
      {
        isPage: false,
        url: 'three',
        report: () => {
          setTimeout(() => over.abort(new Error('enough')), 5);
          return Promise.resolve(makeFrame({ path: [0] }));
        },
      },
    ],
    over.signal,
  );
  expect(frames.map(({ path }) => path)).toEqual([[0]]);
  expect(silences).toEqual([
    { isPage: true, url: 'page', silence: { kind: 'no-answer' } },
    { isPage: false, url: 'one', silence: { kind: 'gone', detail: 'No such frame' } },
    {
      isPage: false,
      url: 'two',
      silence: {
        kind: 'too-large',
        detail: 'A frame of the page has more than 10000 prefetchUrls, which is more than a Snapshot takes',
      },
    },
    { isPage: false, url: 'busy', silence: { kind: 'no-answer' } },
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
