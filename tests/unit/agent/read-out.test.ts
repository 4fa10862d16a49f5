import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BrowserPage } from '#agent/engines/browser/browser-page.ts';
import type { CollectedFrames } from '#agent/engines/browser/collected-frames.ts';
import { readOut } from '#agent/engines/browser/read-out.ts';
import { NetworkRecorder } from '#agent/engines/firefox/firefox-recorder.ts';
import type { ActivityEvent } from '#core/agent/page-activity/activity-event.ts';
import { makeFrame } from '../core/metrics/support/snapshot-parts.ts';
import { began, loaded, main, page, startEpochMs } from '../core/agent/support/play-activity.ts';

const never = () => new Promise<never>(() => undefined);
const options = { timeoutMs: 30_000, takenEpochMs: startEpochMs + 5000 };

/** The limits of time that were begun: the test decides when they are over. */
let limits: { ms: number; over: AbortController }[];
beforeEach(() => {
  limits = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const over = new AbortController();
    limits.push({ ms, over });
    return over.signal;
  });
});
afterEach(() => vi.restoreAllMocks());

function passTime(ms: number): void {
  for (const limit of limits)
    if (limit.ms <= ms) limit.over.abort(new DOMException('It took too long', 'TimeoutError'));
}

/** A page of which the browser has reported these events, and says `answer` to what takes no time. */
function playPage(
  events: readonly ActivityEvent[],
  { answer, found }: { answer: () => Promise<unknown>; found?: CollectedFrames },
): BrowserPage {
  const recorder = new NetworkRecorder({ mainContextId: main, recordsHeaders: false });
  for (const event of structuredClone(events)) recorder.apply(event);
  const silent: CollectedFrames = { frames: [], silences: [{ isPage: true, url: '', silence: { kind: 'no-answer' } }] };
  return {
    recorder,
    lost: new AbortController().signal,
    ask: answer,
    collectFrames: (signal: AbortSignal) =>
      found
        ? Promise.resolve(found)
        : new Promise((resolve) => signal.addEventListener('abort', () => resolve(silent))),
  } as unknown as BrowserPage;
}

const leaving = began('next', 4000, { type: 'document' });

test('a page that is about to leave, of which Chrome answers nothing, left', async () => {
  const read = readOut(playPage([...page, loaded, leaving], { answer: never }), options);
  passTime(10_000);
  await expect(read).rejects.toMatchObject({
    code: 'navigated-away',
    message: 'The page http://origin.test/page was leaving for another, which had not come, while it was read out',
  });
});

test('a page that stays and answers nothing runs a script without end', async () => {
  const read = readOut(playPage([...page, loaded], { answer: never }), options);
  passTime(10_000);
  await expect(read).rejects.toMatchObject({
    code: 'timeout',
    message: expect.stringMatching(/10000 ms: a script/) as string,
  });
});

test('one that answers and does not end its report has more than it can report, though it is about to leave', async () => {
  const read = readOut(
    playPage([...page, loaded, leaving], { answer: () => Promise.resolve('http://origin.test/page') }),
    options,
  );
  await Promise.resolve();
  passTime(30_000);
  await expect(read).rejects.toMatchObject({
    code: 'timeout',
    message: expect.stringMatching(/within 30000 ms/) as string,
  });
});

test('frames that did not answer are named, those that went away are not', async () => {
  const found: CollectedFrames = {
    frames: [makeFrame()],
    silences: [
      { isPage: false, url: 'http://ads.test/busy', silence: { kind: 'no-answer' } },
      { isPage: false, url: 'http://ads.test/gone', silence: { kind: 'gone', detail: 'No such frame' } },
    ],
  };
  const { frames, silentUrls } = await readOut(
    playPage([...page, loaded], { answer: () => Promise.resolve(1), found }),
    options,
  );
  expect(frames).toHaveLength(1);
  expect(silentUrls).toEqual(['http://ads.test/busy']);
});
