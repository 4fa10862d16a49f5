import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BrowserPage } from '#agent/engines/browser/browser-page.ts';
import { visitPage } from '#agent/engines/browser/visit-page.ts';
import { VisitFailure } from '#core/agent/visit-failure.ts';
import { PageLoadSchema } from '#core/evaluation/pages/page-load.ts';

const pageLoad = PageLoadSchema.parse({ timeoutMs: 30_000 });
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A page that takes so long before its navigation, and then never comes. */
function visitNothing({ aheadMs }: { aheadMs: number }) {
  const asked: string[] = [];
  const gone = { page: new AbortController(), excess: new AbortController() };
  const page = {
    isJourney: true,
    film: null,
    lost: gone.page.signal,
    recorder: { excess: gone.excess.signal },
    runAhead: () => {
      asked.push('run ahead');
      return new Promise<void>((resolve) => setTimeout(resolve, aheadMs));
    },
    navigate: ({ url, signal }: { url: string; signal: AbortSignal }) => {
      asked.push(`navigate to ${url}`);
      return new Promise<never>((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    },
  } as unknown as BrowserPage;
  let outcome: unknown = null;
  const visit = visitPage(page, {
    url: 'http://origin.test/',
    pageLoad,
    replay: { recordedEpochMs: 1 },
    nowEpochMs: () => 2,
    onNavigate: () => asked.push('begins'),
  } as unknown as Parameters<typeof visitPage>[1]).catch((error: unknown) => (outcome = error));
  return { page, asked, gone, visit, outcome: () => outcome };
}

test('a page has its time from its navigation on, whatever came before', async () => {
  const it = visitNothing({ aheadMs: 20_000 });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(it.asked).toEqual(['run ahead', 'begins', 'navigate to http://origin.test/']);
  expect(it.page.isJourney).toBe(false);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(it.outcome()).toBeNull();
  await vi.advanceTimersByTimeAsync(1);
  expect(it.outcome()).toMatchObject({ code: 'timeout', message: 'No page came within 30000 ms' });
  expect(vi.getTimerCount()).toBe(0);
});

test.each(['page', 'excess'] as const)(
  'what ends a Visit earlier (%s) is its reason, and no timer stays',
  async (what) => {
    const it = visitNothing({ aheadMs: 0 });
    await vi.advanceTimersByTimeAsync(10);
    const reason = new VisitFailure('browser-crashed', 'gone');
    it.gone[what].abort(reason);
    await it.visit;
    expect(it.outcome()).toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
  },
);
