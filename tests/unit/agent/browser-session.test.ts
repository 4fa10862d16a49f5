import { expect, test } from 'vitest';
import { BrowserSession, type RunningBrowser } from '#agent/engines/browser/browser-session.ts';
import type { BrowserPage } from '#agent/engines/browser/browser-page.ts';
import { NetworkRecorder } from '#agent/engines/firefox/firefox-recorder.ts';
import { VisitFailure } from '#core/agent/visit-failure.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { PageLoadSchema } from '#core/evaluation/pages/page-load.ts';

/** A browser whose pages give nothing, and are closed as it is said. */
function openBrowser(closePage: () => Promise<void>): RunningBrowser {
  const gone = new AbortController();
  const lost = new AbortController();
  const page = {
    recorder: new NetworkRecorder({ mainContextId: 'main', recordsHeaders: false }),
    lost: lost.signal,
    film: null,
    mainThread: null,
    navigate: () => Promise.reject(new VisitFailure('empty-response', 'HTTP 204')),
    [Symbol.asyncDispose]: closePage,
  };
  return {
    version: 'Browser/1',
    processId: 1,
    gone: gone.signal,
    createContext: () => Promise.resolve('context'),
    warmUp: () => Promise.resolve(),
    openPage: () => Promise.resolve(page as unknown as BrowserPage),
    [Symbol.asyncDispose]: () => {
      gone.abort();
      return Promise.resolve();
    },
  };
}

test.for([
  { what: 'never closed', closePage: () => new Promise<void>(() => undefined), launches: 3 },
  { what: 'closed', closePage: () => Promise.resolve(), launches: 1 },
])('a page that is $what: its Visit ends as it did, with $launches browsers for three', async (given) => {
  const launched: RunningBrowser[] = [];
  await using session = await BrowserSession.open({
    pageLoad: PageLoadSchema.parse({ restMs: 0, timeoutMs: 5000 }),
    browser: BrowserSettingsSchema.parse({}),
    urls: [],
    nowEpochMs: () => 0,
    closeWithinMs: 30,
    launch: () => {
      launched.push(openBrowser(given.closePage));
      return Promise.resolve(launched.at(-1)!);
    },
  });
  for (let count = 0; count < 3; count++) {
    const outcome = await session.visit({ url: 'http://origin.test/', signal: new AbortController().signal });
    expect(outcome).toMatchObject({ status: 'failed', code: 'empty-response' });
  }
  expect(launched).toHaveLength(given.launches);
});

test('a browser that starts and then answers nothing is given up, and ended, with the order to open it', async () => {
  const giveUp = new AbortController();
  const browser = {
    ...openBrowser(() => Promise.resolve()),
    warmUp: () => {
      giveUp.abort(new Error('Nobody waits any more'));
      return new Promise<void>(() => undefined);
    },
  };
  const opened = BrowserSession.open(
    {
      pageLoad: PageLoadSchema.parse({}),
      browser: BrowserSettingsSchema.parse({}),
      urls: [],
      nowEpochMs: () => 0,
      launch: () => Promise.resolve(browser),
    },
    giveUp.signal,
  );
  await expect(opened).rejects.toThrow('Nobody waits any more');
  expect(browser.gone.aborted).toBe(true);
});
