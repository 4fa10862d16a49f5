import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildHar } from '#controller/visits/build-har.ts';
import { findCountedObjects } from '#core/metrics/find-counted-objects.ts';
import { findViewportObjects } from '#core/metrics/find-viewport-objects.ts';
import { findNavigationStart } from '#core/metrics/navigation-start.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import type { EngineSession } from '#agent/engines/engine.ts';
import { hardObjects } from '#testbed/origin/pages/hard-cases/all-hard-cases.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { truthOf } from '#testbed/origin/truth-log.ts';
import { type ConformanceEngine, conformanceEngines } from './conformance-engines.ts';
import { isFirefoxLeftOut } from './find-firefox.ts';
import { nameOriginObjects } from './name-origin-objects.ts';
import { oddPage, serveOddPage } from './odd-page.ts';
import { serveOrderedPages } from './serve-ordered-pages.ts';
import { noIcon, servePages, type PageServer } from './serve-pages.ts';
import { takeSnapshot, valueOf } from './visit-for-snapshot.ts';

/** Of a page of ordered objects: which of them ends each latency. */
const orderedPages = [
  { page: '/viewport-then-total', viewport: '/above.png', total: '/below.png' },
  { page: '/total-then-viewport', viewport: '/above.png', total: '/above.png' },
  { page: '/viewport-then-base', viewport: '/viewport-then-base', total: '/viewport-then-base' },
];

/** The names of the hard cases that an engine has to find, by what they count for. */
function listExpected({ neverAsksFor }: ConformanceEngine): { viewport: string[]; total: string[] } {
  const asked = [...hardObjects].filter(([object]) => !neverAsksFor.has(object));
  const namesOf = (isOne: (counts: string) => boolean) =>
    asked
      .filter(([, { counts }]) => isOne(counts))
      .map(([name]) => name)
      .sort();
  return { viewport: namesOf((counts) => counts === 'viewport'), total: namesOf((counts) => counts !== 'none') };
}

/** One engine by its name. */
export function describeConformanceOf(name: string): void {
  const engine = conformanceEngines.find((each) => each.name === name);
  if (engine) return describeConformance(engine);
  test.skipIf(isFirefoxLeftOut)(`the engine ${name}`, () => expect.unreachable('There is no such engine'));
}

/** What every engine is held to, by the identity of objects: no time that passes decides it. */
function describeConformance(engine: ConformanceEngine): void {
  const { name, open, hasViewport, measuresHeads } = engine;
  describe(`the engine ${name}`, () => {
    const expected = listExpected(engine);
    let origin: Origin;
    let ordered: PageServer;
    let session: EngineSession;
    beforeAll(async () => {
      [origin, ordered] = await Promise.all([startOrigin(), serveOrderedPages()]);
      session = await open({ pageLoad: { restMs: 0 }, browser: { trustedKeys: [origin.trustedKey] } });
    });
    afterAll(async () => {
      await session[Symbol.asyncDispose]();
      await ordered[Symbol.asyncDispose]();
      await origin.close();
    });

    test('finds exactly the objects of the page of hard cases, and ends each latency with the last of them', async () => {
      const snapshot = await takeSnapshot(session, `${origin.http2Url}/hard-cases?visit=${name}`);
      const counted = findCountedObjects(snapshot);
      const needed = findViewportObjects(snapshot) ?? [];

      expect(snapshot.settled).toBe(true);
      expect(truthOf(origin.truth, name).totalObjects, 'what the origin was asked for').toEqual(expected.total);
      expect(nameOriginObjects(counted)).toEqual(expected.total);
      expect(valueOf(snapshot, 'totalMs')).toBe(latestOf(counted, snapshot));
      expect(valueOf(snapshot, 'baseMs')).toBeLessThanOrEqual(valueOf(snapshot, 'totalMs'));
      if (!hasViewport) return;
      expect(truthOf(origin.truth, name).viewportObjects).toEqual(expected.viewport);
      expect(nameOriginObjects(needed)).toEqual(expected.viewport);
      expect(valueOf(snapshot, 'viewportMs')).toBe(Math.max(valueOf(snapshot, 'baseMs'), latestOf(needed, snapshot)));
      expect(valueOf(snapshot, 'baseMs')).toBeLessThanOrEqual(valueOf(snapshot, 'viewportMs'));
      expect(valueOf(snapshot, 'viewportMs')).toBeLessThanOrEqual(valueOf(snapshot, 'totalMs'));
    });

    test('knows how long the server says that it took', async () => {
      const { requests, frames } = await takeSnapshot(session, `${origin.http2Url}/slow-first-byte?delayMs=50`);
      const page = requests.find(({ isMainDocument }) => isMainDocument);
      // Timers may come up to 1 ms early.
      expect(page?.serverMs ?? frames[0]!.navigation?.serverMs).toBeGreaterThanOrEqual(49);
    });

    test.each(hasViewport ? orderedPages : [])(
      'on $page the viewport waits for $viewport, and the page for $total',
      async ({ page, viewport, total }) => {
        const snapshot = await takeSnapshot(session, ordered.url + page);
        expect(snapshot.settled).toBe(true);
        expect(valueOf(snapshot, 'baseMs')).toBe(endOf(page, snapshot));
        expect(valueOf(snapshot, 'viewportMs')).toBe(endOf(viewport, snapshot));
        expect(valueOf(snapshot, 'totalMs')).toBe(endOf(total, snapshot));
      },
    );

    // Their scripts and frames are what is odd: without any there is nothing to see.
    test.each(hasViewport ? ['a page that does what simple pages do not'] : [])('finds the objects of %s', async () => {
      await using server = await serveOddPage();
      const snapshot = await takeSnapshot(session, server.url);
      const counted = findCountedObjects(snapshot);
      const needed = findViewportObjects(snapshot) ?? [];
      expect(snapshot.settled).toBe(true);
      expect(pathsOf(needed)).toEqual(oddPage.viewport);
      expect(pathsOf(counted)).toEqual([...oddPage.viewport, ...oddPage.others].sort());

      const { resources, timeOrigin, userTimings } = snapshot.frames.find(({ path }) => path.length === 0)!;
      const tries = resources.filter((entry) => entry.name.endsWith('/flaky.png'));
      expect(tries).toHaveLength(2);
      expect(objectAt('/flaky.png', needed).endEpochMs).toBe(timeOrigin + tries[1]!.responseEnd);
      const framed = snapshot.requests.find(({ url }) => url.endsWith('/framed'));
      expect(objectAt('/framed', counted).endEpochMs).toBe(framed!.endEpochMs);
      expect(resources.find((entry) => entry.name.endsWith('/sheet.css'))!.serverMs).toBe(oddPage.serverMs);
      expect(userTimings!.map((mark) => mark.name)).toEqual(Array.from({ length: 5000 }, () => 'many'));
    });

    test('has the sizes of answers where readers of a HAR add them up', async () => {
      const style = gzipSync(`body { color: #123 }${' '.repeat(100_000)}`);
      const page = `<!doctype html>${noIcon}<link rel=stylesheet href=/style.css><link rel=stylesheet href=/moved.css>`;
      const send =
        (type: string, body: string | Buffer, headers = {}, status = 200) =>
        (response: ServerResponse) =>
          void response
            .writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'content-length': body.length, ...headers })
            .end(body);
      await using server = await servePages({
        '/': send('text/html', page),
        '/style.css': send('text/css', style, { 'content-encoding': 'gzip' }),
        '/moved.css': send('text/css', '', { location: '/plain.css' }, 302),
        '/plain.css': send('text/css', 'p { color: #321 }'),
      });
      const snapshot = await takeSnapshot(session, server.url);
      const visit = { id: '5c7e0d9e-8b1f-4a55-9a3e-111111111111', description: 'A test', clockOffsetMs: 0 };
      const { entries } = buildHar(snapshot, { visit, creatorVersion: '1.0' }).log;
      const found = entries.map(({ request, response }) => ({ path: new URL(request.url).pathname, ...response }));
      const bodyOf = (path: string) => found.find((each) => each.path === path)!.bodySize;
      expect(found.map(({ path }) => path).sort()).toEqual(['/', '/moved.css', '/plain.css', '/style.css']);
      expect(['/', '/plain.css', '/style.css'].map(bodyOf)).toEqual([page.length, 17, style.length]);
      if (!measuresHeads) return;
      expect(bodyOf('/moved.css')).toBe(0);
      for (const { headersSize, bodySize, _transferSize } of found) {
        expect(headersSize).toBeGreaterThan(60);
        expect(headersSize + bodySize).toBe(_transferSize);
      }
    });

    test('waits for what a style sheet brings in', async () => {
      const snapshot = await takeSnapshot(session, `${ordered.url}/style-then-total`);
      expect(valueOf(snapshot, 'baseMs')).toBe(endOf('/style-then-total', snapshot));
      expect(valueOf(snapshot, 'totalMs')).toBe(endOf('/above.png', snapshot));
      expect(endOf('/style.css', snapshot)).toBeLessThan(endOf('/above.png', snapshot));
    });
  });
}

function latestOf(objects: readonly { endEpochMs: number | null }[], snapshot: Snapshot): number {
  return Math.max(...objects.map(({ endEpochMs }) => endEpochMs ?? Infinity)) - findNavigationStart(snapshot);
}

function pathsOf(objects: readonly { url: string }[]): string[] {
  return [...new Set(objects.map(({ url }) => new URL(url).pathname))].sort();
}

function objectAt<Found extends { url: string }>(path: string, objects: readonly Found[]): Found {
  return objects.find(({ url }) => new URL(url).pathname === path)!;
}

function endOf(path: string, snapshot: Snapshot): number {
  const found = findCountedObjects(snapshot).filter(({ url }) => new URL(url).pathname === path);
  expect(found, path).toHaveLength(1);
  return latestOf(found, snapshot);
}
