import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EngineSession } from '#agent/engines/engine.ts';
import { SnapshotSchema } from '#core/metrics/snapshot.ts';
import { conformanceEngines } from './support/conformance-engines.ts';
import { noIcon, sendPixel, servePages, type PageServer } from './support/serve-pages.ts';
import { takeSnapshot, valueOf, visit } from './support/visit-for-snapshot.ts';

/** Pages of very many frames and objects (microsoft/playwright#28086): right, or a failure whose words are true. */
/** Chrome opens no more frames on one page (`Page::MaxNumberOfFrames`). */
const mostInChrome = 1000;
/** Firefox under WebDriver BiDi takes minutes for a thousand, and an extension has the frames of its browser. */
const frameCount = (name: string) => (name === 'chrome' ? mostInChrome + 100 : 300);
const imageCount = 3000;

const withFrames = (count: number) =>
  `<!doctype html><title>frames</title>${noIcon}<img src="/image?0">${'<iframe width=20 height=20 srcdoc="x"></iframe>'.repeat(count)}`;
const withImages = `<!doctype html><title>images</title>${noIcon}${Array.from(
  { length: imageCount },
  (_, index) => `<img width=4 height=4 src="/image?${index}">`,
).join('')}`;

/** As the `print.html` of a book: 13 MB of text with many marks in it (mdBook). */
const chapter = `<h2 class="chapter">Chapter</h2>${'<p>Some words with <code class="inline">code</code>, and a <span class="hljs-keyword">key</span> to them.</p>'.repeat(40)}`;
const book = `<!doctype html><title>book</title>${noIcon}<img src="/image?0"><div><template shadowrootmode=closed><img src="/image?1"></template></div>${chapter.repeat(3000)}`;

/** The probe of chrome and firefox is that of the extensions; what differs is how much of it they are sent. */
const engines = conformanceEngines.filter(({ name }) => name !== 'extension-firefox');
const busy = /has more to report than it can|No page came within|the browser is busy with its \d+ frames/;
const html = (text: string) => (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(text);

describe.each(engines)('large pages in $name', ({ name, open, hasViewport }) => {
  let server: PageServer;
  let session: EngineSession;
  beforeAll(async () => {
    server = await servePages({
      '/frames': html(withFrames(frameCount(name))),
      '/images': html(withImages),
      '/image': sendPixel,
      '/book': html(book),
    });
    session = await open({ pageLoad: { restMs: 0, timeoutMs: 90_000 } });
  });
  afterAll(async () => {
    await session[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  test('hundreds of frames', { timeout: 300_000 }, async () => {
    const snapshot = await takeSnapshot(session, `${server.url}/frames`);
    expect(SnapshotSchema.safeParse(snapshot).error).toBeUndefined();
    expect(snapshot).toMatchObject({ settled: true });
    expect(snapshot.remarks ?? []).toEqual([]);
    expect(snapshot.frames).toHaveLength(1 + Math.min(frameCount(name), mostInChrome));
    expect(valueOf(snapshot, 'objectCount')).toBe(2);
    expect(valueOf(snapshot, 'failedObjectCount')).toBe(0);
  });

  test(`a text of ${Math.round(book.length / 1e6)} MB`, { timeout: 300_000 }, async () => {
    const snapshot = await takeSnapshot(session, `${server.url}/book`);
    expect(snapshot).toMatchObject({ settled: true });
    expect(snapshot.remarks ?? []).toEqual([]);
    expect(valueOf(snapshot, 'objectCount')).toBe(3);
    if (!hasViewport) return;
    const shown = snapshot.frames[0]!.viewportNeeds?.filter(({ kind }) => kind === 'image').map(({ url }) => url);
    expect(shown?.toSorted()).toEqual(['0', '1'].map((number) => `${server.url}/image?${number}`));
  });

  test(`${imageCount} images`, { timeout: 300_000 }, async () => {
    const snapshot = await takeSnapshot(session, `${server.url}/images`);
    expect(SnapshotSchema.safeParse(snapshot).error).toBeUndefined();
    expect(snapshot).toMatchObject({ settled: true });
    expect(valueOf(snapshot, 'objectCount')).toBe(imageCount + 1);
    expect(snapshot.requests.flatMap(({ failure }) => failure ?? [])).toEqual([]);
    expect(valueOf(snapshot, 'failedObjectCount')).toBe(0);
    const ends = snapshot.frames[0]!.resources.map(({ responseEnd }) => responseEnd);
    expect(valueOf(snapshot, 'totalMs')).toBeCloseTo(Math.max(...ends), 0);
  });
});

describe.each(engines.filter(({ hasViewport }) => hasViewport))(
  'a page too large for its time in $name',
  ({ open }) => {
    test('is measured as far as it came, or says that it takes longer', { timeout: 120_000 }, async () => {
      await using server = await servePages({ '/': html(withFrames(mostInChrome + 100)), '/image': sendPixel });
      await using session = await open({ pageLoad: { restMs: 0, timeoutMs: 1000 } });
      const outcome = await visit(session, server.url);
      if (outcome.status === 'ok') return;
      expect(outcome.code).toBe('timeout');
      expect(outcome.detail).toMatch(busy);
    });
  },
);
