import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EngineSession } from '#agent/engines/engine.ts';
import { judgeTime, roomyLimits } from '../support/judge-time.ts';
import { conformanceEngines } from './support/conformance-engines.ts';
import { lastMs, pathOf, rarePages, serveRarePages, type RarePages } from './support/rare-pages.ts';
import { takeSnapshot, valueOf } from './support/visit-for-snapshot.ts';

/** Pages whose parts few pages have, in every engine that runs scripts: each was measured wrongly in one of them. */
const engines = conformanceEngines.filter(({ hasViewport }) => hasViewport);
/** A busy machine is late by less. */
const noiseMs = 1500;

/** Counted objects, the page included. */
const counts: Record<string, number> = {
  'an audio worklet': 4,
  'a frame of a shadow tree that was redirected': 4,
  'a text track': 2,
  'images that its worker answers': 3,
  'a transport that is refused': 2,
};
/** What the viewport does not show. */
const unseen = new Set(['an audio worklet']);
/** Whose bytes the page alone cannot know: the extension reports none. */
const sizeless = new Set(['an audio worklet', 'images that its worker answers']);

describe.each(engines)('rare pages in $name', ({ name, open }) => {
  let pages: RarePages;
  let session: EngineSession;
  beforeAll(async () => {
    pages = await serveRarePages();
    session = await open({ pageLoad: { restMs: 0, timeoutMs: 12_000 } });
  });
  afterAll(async () => {
    await session[Symbol.asyncDispose]();
    await pages[Symbol.asyncDispose]();
  });

  test.for(rarePages)('a page with %s', async (page, context) => {
    await judgeTime(context, {
      limits: roomyLimits,
      measure: async () => {
        const snapshot = await takeSnapshot(session, `${pages.url}${pathOf(page)}`);
        expect(snapshot.settled).toBe(true);
        expect(valueOf(snapshot, 'failedObjectCount')).toBe(0);
        expect(valueOf(snapshot, 'objectCount')).toBe(counts[page] ?? 3);
        expect(valueOf(snapshot, 'totalMs')).toBeGreaterThan(lastMs - 1);
        if (!unseen.has(page)) expect(valueOf(snapshot, 'viewportMs')).toBeGreaterThan(lastMs - 1);
        // A head has more.
        if (!sizeless.has(page) || !name.startsWith('extension'))
          expect(valueOf(snapshot, 'receivedBytes')).toBeGreaterThan(100 * valueOf(snapshot, 'objectCount'));
        return valueOf(snapshot, 'totalMs');
      },
      holds: (totalMs) => expect(totalMs).toBeLessThan(lastMs + noiseMs),
    });
  });

  test('a page that its root led to waits for what comes from elsewhere', async () => {
    const snapshot = await takeSnapshot(session, `${pages.url}/`);
    expect(snapshot.settled).toBe(true);
    expect(valueOf(snapshot, 'failedObjectCount')).toBe(0);
    expect(valueOf(snapshot, 'viewportMs')).toBeGreaterThan(valueOf(snapshot, 'baseMs') + lastMs - 1);
    expect(snapshot.requests.find(({ url }) => url.endsWith(`=${lastMs}`))).toMatchObject({ status: 200 });
  });

  test('an icon that never comes holds no page back, and is no object', async () => {
    const snapshot = await takeSnapshot(session, `${pages.url}/with-icon`);
    expect(snapshot.settled).toBe(true);
    expect(valueOf(snapshot, 'objectCount')).toBe(2);
  });

  test('a page that leads to itself shows the same images again, and they count', async () => {
    const snapshot = await takeSnapshot(session, `${pages.url}/again`);
    expect(snapshot.settled).toBe(true);
    expect(valueOf(snapshot, 'objectCount')).toBe(4);
    expect(valueOf(snapshot, 'totalMs')).toBeGreaterThan(valueOf(snapshot, 'baseMs') + lastMs - 1);
  });
});
