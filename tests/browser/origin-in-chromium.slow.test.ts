import { type Browser, launch, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hardObjects } from '#testbed/origin/pages/hard-cases/all-hard-cases.ts';
import { type Origin, startOrigin } from '#testbed/origin/start-origin.ts';
import { truthOf, type RequestTruth } from '#testbed/origin/truth-log.ts';
import { judgeTime } from '../support/judge-time.ts';

let origin: Origin;
let browser: Browser;
beforeAll(async () => {
  origin = await startOrigin();
  browser = await launch({
    executablePath: process.env.HTTP_AE_CHROME ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--disable-background-networking',
      '--no-first-run',
      `--ignore-certificate-errors-spki-list=${origin.trustedKey}`,
    ],
    defaultViewport: { width: 1366, height: 768 },
  });
});
afterAll(async () => {
  await browser.close();
  await origin.close();
});
beforeEach(() => origin.truth.clear());

/** A page in a context of its own, so that nothing is cached or connected yet. */
async function withPage<Result>(use: (page: Page) => Promise<Result>): Promise<Result> {
  const context = await browser.createBrowserContext();
  try {
    return await use(await context.newPage());
  } finally {
    await context.close();
  }
}

const listeners = [
  ['httpUrl', 'http/1.1'],
  ['httpsUrl', 'http/1.1'],
  ['http2Url', 'h2'],
  ['crossOriginUrl', 'http/1.1'],
] as const;

test.each(listeners)('Chromium trusts %s, speaks %s there, and caches its objects', async (listener, protocol) => {
  await withPage(async (page) => {
    await page.goto(`${origin[listener]}/images/3`);
    await page.goto('about:blank');
    await page.goto(`${origin[listener]}/images/3`);
  });
  const requests = origin.truth.requests();
  expect(requests.map((request) => request.path).sort()).toEqual([
    '/image/1.jpg',
    '/image/2.jpg',
    '/image/3.jpg',
    '/images/3',
    '/images/3',
  ]);
  expect(new Set(requests.map((request) => request.protocol))).toEqual(new Set([protocol]));
});

/** What a browser does not ask for: the one is never scrolled to, the other has a better source. */
const neverRequested = ['lazy-image-far-below', 'picture-fallback'];
const neverCeasing = ['event-source', 'polling-fetch'];
const requestedObjects = [...hardObjects.keys()].filter((object) => !neverRequested.includes(object));
const endingObjects = requestedObjects.filter((object) => !neverCeasing.includes(object));

function findObject(visit: string, object: string): RequestTruth | undefined {
  return origin.truth.requests(visit).findLast((request) => request.object === object);
}

async function hasEnded(visit: string, object: string): Promise<void> {
  await expect.poll(() => findObject(visit, object)?.endedEpochMs ?? null, { timeout: 20_000 }).not.toBeNull();
}

test.for(['httpUrl', 'httpsUrl', 'http2Url'] as const)(
  'the page of hard cases on %s loads all it should, and its latencies are well apart',
  async (listener, context) => {
    const measure = async () => {
      origin.truth.clear();
      const { placed, fonts } = await withPage(async (page) => {
        await page.goto(`${origin[listener]}/hard-cases?visit=v`);
        for (const object of endingObjects) await hasEnded('v', object);
        return {
          placed: (await page.evaluate(describeImages)) as { url: string; isInViewport: boolean; isVisible: boolean }[],
          fonts: (await page.evaluate('[...document.fonts].map((font) => font.status)')) as string[],
        };
      });

      const requested = new Set(origin.truth.requests('v').map((request) => request.object));
      expect(requested).toEqual(new Set([null, ...requestedObjects]));
      expect(fonts).toEqual(['loaded', 'loaded']);
      for (const { url, isInViewport, isVisible } of placed) {
        expect({ url, counts: new URL(url).searchParams.get('counts') }).toEqual({
          url,
          counts: isInViewport && isVisible ? 'viewport' : 'total',
        });
      }

      const { baseMs, viewportMs, totalMs, firstRequestEpochMs } = truthOf(origin.truth, 'v');
      const endOf = (object: string) => findObject('v', object)!.endedEpochMs! - firstRequestEpochMs;
      return {
        gapsMs: [
          viewportMs! - baseMs!,
          totalMs! - viewportMs!,
          endOf('late-fetch') - totalMs!,
          endOf('prefetch') - totalMs!,
        ],
        lastPollMs: findObject('v', 'polling-fetch')!.arrivedEpochMs - firstRequestEpochMs - totalMs!,
      };
    };
    await judgeTime(context, {
      measure,
      holds: ({ gapsMs, lastPollMs }) => {
        expect(Math.min(...gapsMs), gapsMs.join(', ')).toBeGreaterThan(40);
        expect(lastPollMs).toBeGreaterThan(0);
      },
    });
  },
);

/** Runs in the page, as text lest a compiler touches it: where each image of the page itself stands. */
const describeImages = `[...document.querySelectorAll('img')].filter((image) => !image.closest('picture')).map((image) => {
  const box = image.getBoundingClientRect();
  return {
    url: image.src,
    isInViewport: box.top < innerHeight && box.left < innerWidth,
    isVisible: image.checkVisibility({ visibilityProperty: true }),
  };
})`;

// Of each way in which an object comes; those that count are tried one by one in viewport-classes.slow.test.ts.
test.for(['image', 'late-image', 'cross-site-frame-image', 'late-fetch', 'prefetch'])(
  '?last makes %s the one that ends last by far',
  async (object, context) => {
    let attempt = 0;
    await judgeTime(context, {
      // Chromium loads images one after another while a script of the head is held back: on a busy machine that takes longer than the script is held.
      measure: () =>
        withPage(async (page) => {
          const visit = `${object}-${attempt++}`;
          await page.goto(`${origin.http2Url}/hard-cases?visit=${visit}&last=${object}`);
          const others = () =>
            origin.truth.requests(visit).filter((request) => request.object !== object && request.counts !== 'none');
          await hasEnded(visit, object);
          await expect.poll(() => others().every(({ endedEpochMs }) => endedEpochMs !== null)).toBe(true);
          const ends = others().map(({ endedEpochMs }) => endedEpochMs!);
          expect(ends.length).toBeGreaterThan(1);
          return findObject(visit, object)!.endedEpochMs! - Math.max(...ends);
        }),
      holds: (leadMs) => expect(leadMs).toBeGreaterThan(500),
    });
  },
);
