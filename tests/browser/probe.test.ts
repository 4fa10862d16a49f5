import { afterAll, beforeAll, expect, test } from 'vitest';
import { findCountedObjects } from '#core/metrics/find-counted-objects.ts';
import { findViewportObjects } from '#core/metrics/find-viewport-objects.ts';
import { findNavigationStart } from '#core/metrics/navigation-start.ts';
import { deriveReadings } from '#core/metrics/index.ts';
import type { EngineSession } from '#agent/engines/engine.ts';
import { buildFont } from '#testbed/origin/objects/build-font.ts';
import { openSession } from './support/open-session.ts';
import { noIcon, sendPixel, servePages, type Pages } from './support/serve-pages.ts';
import { takeSnapshot, valueOf } from './support/visit-for-snapshot.ts';

let session: EngineSession;

beforeAll(async () => {
  session = await openSession({ pageLoad: { restMs: 0, quietMs: 200, timeoutMs: 60_000 } });
});

afterAll(() => session[Symbol.asyncDispose]());

/** The paths of what the viewport needs, on a page at `/` among others. */
async function listViewportPaths(pages: Pages): Promise<string[]> {
  await using server = await servePages(pages);
  const snapshot = await takeSnapshot(session, server.url);
  return (findViewportObjects(snapshot) ?? []).map(({ url }) => new URL(url).pathname).sort();
}

const image = (name: string) => `<img src="/${name}" width=40 height=40>`;

test('a page sees nothing of the probe', async () => {
  await using server = await servePages({
    '/': `${noIcon}<title>?</title><p>Text<script>
      addEventListener('load', () => setTimeout(() => {
        const names = Object.getOwnPropertyNames(window);
        const native = [PerformanceObserver, performance.getEntriesByType, Element.prototype.attachShadow].every((member) => String(member).includes('[native code]'));
        document.title = [names.some((name) => /httpae/i.test(name)), native].join();
      }))</script>`,
  });
  expect((await takeSnapshot(session, server.url)).frames[0]!.title).toBe('false,true');
});

test('a page that breaks its own environment does not break the probe', async () => {
  const paths = await listViewportPaths({
    '/': `${noIcon}${image('shown.png')}<script>
      performance.setResourceTimingBufferSize(0);
      performance.getEntriesByType = () => { throw new Error('broken'); };
      PerformanceObserver.prototype.observe = IntersectionObserver.prototype.observe = () => { throw new Error('broken'); };
      Array.from = Map.groupBy = Document.prototype.querySelectorAll = window.getComputedStyle = () => { throw new Error('broken'); };
      Array.prototype.map = Array.prototype.filter = Promise.prototype.then = undefined;
      addEventListener('load', () => performance.clearResourceTimings());
    </script>`,
    '/shown.png': sendPixel,
  });
  expect(paths).toEqual(['/shown.png']);
});

test('of two fonts that an opaque style sheet brings in, the viewport needs the one that its text uses', async () => {
  const sendFont = (response: Parameters<typeof sendPixel>[0]) =>
    void response.writeHead(200, { 'content-type': 'font/ttf', 'access-control-allow-origin': '*' }).end(buildFont());
  await using server = await servePages({
    '/': '',
    '/sheet.css': (response) =>
      void response.writeHead(200, { 'content-type': 'text/css' }).end(`
      @font-face { font-family: "Used Above"; src: url(/above.ttf) }
      @font-face { font-family: "Used Below"; src: url(/below.ttf) }
      .above { font-family: "Used Above" } .below { font-family: "Used Below"; margin-top: 3000px }`),
    '/above.ttf': sendFont,
    '/below.ttf': sendFont,
  });
  await using page = await servePages({
    '/': `${noIcon}<link rel=stylesheet href="${server.otherUrl}/sheet.css"><p class=above>Text</p><p class=below>Text</p>`,
  });
  const snapshot = await takeSnapshot(session, page.url);
  expect((findViewportObjects(snapshot) ?? []).map(({ url }) => new URL(url).pathname).sort()).toEqual([
    '/above.ttf',
    '/sheet.css',
  ]);
  expect(
    findCountedObjects(snapshot)
      .map(({ url }) => new URL(url).pathname)
      .sort(),
  ).toEqual(['/', '/above.ttf', '/below.ttf', '/sheet.css']);
});

test('of the weights of a font, the viewport needs those that the browser fetches', async () => {
  const fonts = [
    ['Bold', [500, 900]],
    ['Plain', [300, 500, 600]],
    ['Light', [100, 400]],
  ] as const;
  const files = fonts.flatMap(([family, weights]) => weights.map((weight) => ({ family, weight })));
  const fetched: string[] = [];
  const sendFont = (name: string) => (response: Parameters<typeof sendPixel>[0]) => {
    fetched.push(name);
    response.writeHead(200, { 'content-type': 'font/ttf' }).end(buildFont());
  };
  const faces = files.map(
    ({ family, weight }) =>
      `@font-face { font-family: ${family}; font-weight: ${weight}; src: url(/${family}-${weight}.ttf) }`,
  );
  const paths = await listViewportPaths({
    '/': `${noIcon}<style>${faces.join(' ')}</style>
      <p style="font: 600 16px Bold">Text<p style="font: 400 16px Plain">Text<p style="font: 300 16px Light">Text`,
    ...Object.fromEntries(
      files.map(({ family, weight }) => [`/${family}-${weight}.ttf`, sendFont(`/${family}-${weight}.ttf`)]),
    ),
  });
  expect(fetched.toSorted()).toEqual(['/Bold-900.ttf', '/Light-100.ttf', '/Plain-500.ttf']);
  expect(paths).toEqual(fetched.toSorted());
});

test('the viewport needs the image of a list’s marker, and nothing for the mask of a drawing, which is a part of the page itself', async () => {
  const paths = await listViewportPaths({
    '/': `${noIcon}${image('shown.png')}<svg width=60 height=40><mask id=m><rect width=60 height=40 fill=white /></mask>
      <g mask="url(#m)"><rect width=60 height=40 /></g></svg>
      <style>li::marker { content: url(/marker.png) }</style><ul><li>Text</ul>`,
    '/shown.png': sendPixel,
    '/marker.png': sendPixel,
  });
  expect(paths).toEqual(['/marker.png', '/shown.png']);
});

test('the viewport needs fonts of text that comes from attributes and counters, as of icons', async () => {
  const sendFont = (response: Parameters<typeof sendPixel>[0]) =>
    void response.writeHead(200, { 'content-type': 'font/ttf' }).end(buildFont());
  const paths = await listViewportPaths({
    '/': `${noIcon}<style>
      @font-face { font-family: Icons; src: url(/icons.ttf) } [data-icon]::before { font-family: Icons; content: attr(data-icon) }
      @font-face { font-family: Digits; src: url(/digits.ttf) } i { counter-increment: n } i::after { font-family: Digits; content: counter(n) }
    </style><b data-icon=x></b><i></i>`,
    '/icons.ttf': sendFont,
    '/digits.ttf': sendFont,
  });
  expect(paths).toEqual(['/digits.ttf', '/icons.ttf']);
});

test('a frame in a shadow tree, a sandboxed frame and a srcdoc frame are looked into', async () => {
  const paths = await listViewportPaths({
    '/': `${noIcon}<span><template shadowrootmode=closed><iframe src="/shadow.html" width=80 height=80></iframe></template></span>
      <iframe src="/sandboxed.html" sandbox width=80 height=80></iframe>
      <iframe srcdoc='${image('srcdoc.png')}<p style="margin-top:500px">${image('srcdoc-below.png')}' width=80 height=80></iframe>`,
    '/shadow.html': `<body>${image('shadow.png')}`,
    '/sandboxed.html': `<body>${image('sandboxed.png')}<p style="margin-top:500px">${image('sandboxed-below.png')}`,
    '/shadow.png': sendPixel,
    '/sandboxed.png': sendPixel,
    '/sandboxed-below.png': sendPixel,
    '/srcdoc.png': sendPixel,
    '/srcdoc-below.png': sendPixel,
  });
  expect(paths).toEqual(['/sandboxed.html', '/sandboxed.png', '/shadow.html', '/shadow.png', '/srcdoc.png']);
});

test('a frame has the background of its body, however small that is, and one below the viewport is not needed', async () => {
  const paths = await listViewportPaths({
    '/': `${noIcon}<iframe src="/near" width=80 height=80></iframe><iframe src="/far" style="position:absolute;top:3000px"></iframe>`,
    '/near': '<style>body { margin: 0; background: url(/near.png) }</style>',
    '/far': '<style>body { margin: 0; background: url(/far.png) }</style>',
    '/near.png': sendPixel,
    '/far.png': sendPixel,
  });
  expect(paths).toEqual(['/near', '/near.png']);
});

test('an image clipped away by a scroller does not count, one within it does', async () => {
  const paths = await listViewportPaths({
    '/': `${noIcon}<div style="width:60px;height:60px;overflow:auto">${image('inside.png')}<div style="height:300px"></div>${image('clipped.png')}</div>`,
    '/inside.png': sendPixel,
    '/clipped.png': sendPixel,
  });
  expect(paths).toEqual(['/inside.png']);
});

test('a page that sends itself elsewhere is timed from its first document on', async () => {
  await using server = await servePages({
    '/': '<script>location.replace("/there")</script>',
    '/there': `${noIcon}<p>Here`,
  });
  const snapshot = await takeSnapshot(session, server.url);
  expect(snapshot.frames[0]!.url).toBe(`${server.url}/there`);
  const [first, second] = snapshot.requests;
  expect([first!.url, second!.url]).toEqual([`${server.url}/`, `${server.url}/there`]);
  expect(findNavigationStart(snapshot)).toBeLessThanOrEqual(first!.startEpochMs);
  const document = findCountedObjects(snapshot).find(({ type }) => type === 'document');
  expect(document!.url).toBe(`${server.url}/there`);
  expect(valueOf(snapshot, 'baseMs')).toBe(document!.endEpochMs! - findNavigationStart(snapshot));
});

test('what a worker fetches before the load event is waited for, and counts', async () => {
  const loaded = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await using server = await servePages({
    '/': `${noIcon}<p>A page<img src=/slow.png><script>
      addEventListener('load', () => navigator.sendBeacon('/loaded'));
      new Worker('/worker.js');
    </script>`,
    '/worker.js': (response) =>
      void response.writeHead(200, { 'content-type': 'text/javascript' }).end('fetch("/data")'),
    // The load event waits for the image, the image for the worker's request, and the answer to that for the load event.
    '/slow.png': (response) => void asked.promise.then(() => sendPixel(response)),
    '/data': (response) => {
      asked.resolve();
      void loaded.promise.then(() => response.end('data'));
    },
    '/loaded': (response) => {
      response.writeHead(204).end();
      loaded.resolve();
    },
  });
  const snapshot = await takeSnapshot(session, server.url);
  const data = findCountedObjects(snapshot).find(({ url }) => new URL(url).pathname === '/data');
  expect(valueOf(snapshot, 'totalMs')).toBe(data!.endEpochMs! - findNavigationStart(snapshot));
});

test('the first paint of a page, and that of its first content, are those that it sees itself', async () => {
  await using server = await servePages({
    '/': `${noIcon}<body style="background: green"><script>
      const seen = {};
      new PerformanceObserver((list) => {
        for (const { name, startTime } of list.getEntries()) seen[name] = startTime;
        if (document.body.innerText === '') document.body.append('Text');
        document.title = JSON.stringify(seen);
        if (seen['first-contentful-paint']) performance.mark('shown');
      }).observe({ type: 'paint', buffered: true });
    </script>`,
  });
  const outcome = await session.visit({ url: server.url, signal: new AbortController().signal, untilMark: 'shown' });
  const { title, firstPaintMs, firstContentfulPaintMs } = outcome.snapshot!.frames[0]!;
  const seen = JSON.parse(title) as Record<string, number>;
  expect([firstPaintMs, firstContentfulPaintMs]).toEqual([
    expect.closeTo(seen['first-paint']!, 2),
    expect.closeTo(seen['first-contentful-paint']!, 2),
  ]);
  expect(firstPaintMs).toBeLessThan(firstContentfulPaintMs!);
});

test('a download that the page begins by itself does not keep it from settling', async () => {
  await using server = await servePages({
    '/': `${noIcon}<p>A page<script>addEventListener('load', () => setTimeout(() => { location = '/file'; }))</script>`,
    '/file': (response) =>
      void response
        .writeHead(200, { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' })
        .end('data'),
  });
  const snapshot = await takeSnapshot(session, server.url);
  expect([snapshot.settled, snapshot.frames[0]!.url]).toEqual([true, `${server.url}/`]);
});

test('the icon of a page is no part of it', async () => {
  await using server = await servePages({ '/': '<p>A page' });
  const snapshot = await takeSnapshot(session, server.url);
  expect(findCountedObjects(snapshot).map(({ url }) => new URL(url).pathname)).toEqual(['/']);
  expect(snapshot.settled).toBe(true);
});

test('what was not reached at the hard cap is absent, with its reason', async () => {
  await using server = await servePages({
    '/': `${noIcon}${image('never.png')}<p>Text`,
    '/never.png': () => undefined,
  });
  await using impatient = await openSession({ pageLoad: { restMs: 0, timeoutMs: 2500 } });
  const snapshot = await takeSnapshot(impatient, server.url);
  const absent = deriveReadings(snapshot).filter(
    (reading) => reading.kind === 'absent' && reading.reason === 'not-reached',
  );
  expect(snapshot.settled).toBe(false);
  expect(absent.map((reading) => reading.metric)).toEqual([
    'viewportMs',
    'totalMs',
    'loadEventMs',
    'cumulativeLayoutShift',
    'totalBlockingMs',
  ]);
});
