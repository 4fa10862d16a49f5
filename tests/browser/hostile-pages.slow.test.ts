import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest';
import type { EngineSession } from '#agent/engines/engine.ts';
import { judgeTime, roomyLimits } from '../support/judge-time.ts';
import { conformanceEngines } from './support/conformance-engines.ts';
import { noIcon, servePages, type PageServer } from './support/serve-pages.ts';
import { takeSnapshot, valueOf } from './support/visit-for-snapshot.ts';

/** Pages that replace, freeze, clear or limit what a probe uses: each is measured as one that does not. */
const imageMs = 300;
/** A busy machine is late by less. */
const noiseMs = 1500;

const throwing = '() => { throw new Error("hostile"); }';
const pages: Record<string, string> = {
  'clears its timings': 'setInterval(() => performance.clearResourceTimings(), 5)',
  'keeps no timings': 'performance.setResourceTimingBufferSize(0)',
  'has no performance': `
    delete window.performance;
    Object.defineProperty(window, 'performance', { value: undefined });
    PerformanceObserver = PerformanceEntry = PerformanceResourceTiming = null;`,
  'wraps its performance': `
    const real = performance;
    Object.defineProperty(window, 'performance', { value: new Proxy({}, { get: () => { throw new Error('hostile'); } }) });`,
  'replaces the timeline': `
    for (const name of ['getEntries', 'getEntriesByType', 'getEntriesByName', 'now', 'toJSON'])
      Performance.prototype[name] = () => [];
    Object.defineProperty(Performance.prototype, 'timeOrigin', { get: () => 0 });
    PerformanceObserver.prototype.observe = PerformanceObserver.prototype.takeRecords = ${throwing};
    Object.defineProperty(PerformanceResourceTiming.prototype, 'responseEnd', { get: () => 0 });`,
  'replaces the language': `
    for (const kind of [Array, Map, Set, WeakMap, Promise, String, RegExp])
      for (const name of Object.getOwnPropertyNames(kind.prototype))
        if (name !== 'constructor' && typeof Object.getOwnPropertyDescriptor(kind.prototype, name).value === 'function')
          kind.prototype[name] = ${throwing};
    Array.from = Array.of = Object.keys = Object.entries = Object.assign = Map.groupBy = Promise.resolve = ${throwing};
    Map = Set = WeakMap = Promise = null;
    delete Array.prototype[Symbol.iterator];`,
  'replaces JSON': `
    JSON.stringify = JSON.parse = () => '"hostile"';
    Object.prototype.toJSON = Array.prototype.toJSON = String.prototype.toJSON = () => 'hostile';`,
  'freezes prototypes': `
    for (const name of Object.getOwnPropertyNames(window)) {
      const value = Object.getOwnPropertyDescriptor(window, name).value;
      if (typeof value !== 'function' || !value.prototype) continue;
      Object.freeze(value.prototype);
      Object.freeze(value);
    }
    Object.freeze(performance);`,
  'replaces the document': `
    for (const name of ['images', 'styleSheets', 'adoptedStyleSheets', 'fonts', 'title', 'head', 'visibilityState', 'hidden'])
      Object.defineProperty(Document.prototype, name, { get: ${throwing} });
    Document.prototype.querySelectorAll = Element.prototype.querySelectorAll = Document.prototype.evaluate = ${throwing};
    Element.prototype.checkVisibility = Element.prototype.getBoundingClientRect = ${throwing};
    IntersectionObserver = class {};
    getComputedStyle = matchMedia = ${throwing};`,
  'hears no events': `
    addEventListener('load', (event) => event.stopImmediatePropagation(), true);
    addEventListener('error', (event) => event.stopImmediatePropagation(), true);
    EventTarget.prototype.addEventListener = ${throwing};`,
  'has no timers': 'setTimeout = setInterval = requestAnimationFrame = queueMicrotask = null',
  'has the name of the probe':
    "Object.defineProperty(window, 'httpAeProbe', { value: { report: () => 'hostile' }, writable: false })",
  'stops itself once it has loaded': "addEventListener('load', () => setTimeout(() => window.stop()))",
  'changes its address a hundred times':
    "for (let i = 0; i < 100; i++) history.replaceState(null, '', '/changed/' + i)",
  'sends its addresses elsewhere':
    "const base = document.createElement('base'); base.href = 'http://elsewhere.invalid/'; document.head.append(base)",
};

const image = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect width="60" height="40"/></svg>';

function sendImage(response: ServerResponse): void {
  void sleep(imageMs).then(() =>
    response.writeHead(200, { 'content-type': 'image/svg+xml', 'cache-control': 'no-store' }).end(image),
  );
}

const pathOf = (name: string) => `/${name.replaceAll(' ', '-')}`;
const shown = (origin: string) => `<img src="${origin}/image.svg">`;

/** The probe is the same in all; the two extensions come into a page alike. */
const engines = conformanceEngines.filter(({ name, hasViewport }) => hasViewport && name !== 'extension-firefox');

describe.each(engines)('hostile pages in $name', ({ open }) => {
  let server: PageServer;
  let session: EngineSession;
  beforeAll(async () => {
    const withHead = (head: Record<string, string>, body: () => string) => (response: ServerResponse) =>
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...head }).end(body());
    const body = (name: string, script: string) => () =>
      `<!doctype html><title>${name}</title>${noIcon}<script>${script}</script>${shown(server.url)}`;
    const written = () =>
      `<!doctype html>${noIcon}<script>onload = () => { document.open(); document.write('<title>written</title>${noIcon}${shown(server.url)}'); document.close(); }</script>`;
    server = await servePages({
      ...Object.fromEntries(
        Object.entries(pages).map(([name, script]) => [pathOf(name), withHead({}, body(name, script))]),
      ),
      '/sandbox': withHead({ 'content-security-policy': 'sandbox' }, body('sandbox', '')),
      '/no-scripts': withHead({ 'content-security-policy': "default-src 'none'; img-src *" }, body('no scripts', '')),
      '/written': withHead({}, written),
      '/with-stuck-frame': (response) =>
        response
          .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
          .end(
            `<!doctype html>${noIcon}<iframe src="${server.otherUrl}/stuck"></iframe><iframe src="/framed"></iframe>`,
          ),
      '/stuck': `<p>Stuck<script>onload = () => setTimeout(() => { for (;;); })</script>`,
      '/framed': '<p>Framed<img src=/image.svg>',
      '/image.svg': sendImage,
    });
    session = await open({ pageLoad: { restMs: 0, timeoutMs: 12_000 } });
  });
  afterAll(async () => {
    await session[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const latencies = ['totalMs', 'viewportMs'] as const;
  const expectMeasured = (path: string, context: TestContext) =>
    judgeTime(context, {
      limits: roomyLimits,
      measure: async () => {
        const snapshot = await takeSnapshot(session, `${server.url}${path}`);
        expect(snapshot.settled).toBe(true);
        expect(valueOf(snapshot, 'objectCount')).toBe(2);
        expect(valueOf(snapshot, 'failedObjectCount')).toBe(0);
        const values = latencies.map((metric) => valueOf(snapshot, metric));
        for (const value of values) expect(value).toBeGreaterThan(imageMs - 1);
        return values;
      },
      holds: (values) => expect(Math.max(...values)).toBeLessThan(imageMs + noiseMs),
    });

  test.for(Object.keys(pages))('a page that %s', (name, context) => expectMeasured(pathOf(name), context));

  test.for(['/sandbox', '/no-scripts'])('a page under a policy: %s', (path, context) => expectMeasured(path, context));

  test('a page that a script writes over once it has loaded', (context) => expectMeasured('/written', context));

  test('a page with a frame whose script never ends settles, and names the frame', async () => {
    const snapshot = await takeSnapshot(session, `${server.url}/with-stuck-frame`);
    expect(snapshot.settled).toBe(true);
    expect(snapshot.remarks).toMatchObject([
      { code: 'silent-frames', detail: expect.stringContaining(`: ${server.otherUrl}/stuck`) as string },
    ]);
    const urls = snapshot.frames.map(({ url }) => new URL(url).pathname);
    expect(urls.toSorted()).toEqual(['/framed', '/with-stuck-frame']);
    expect(valueOf(snapshot, 'objectCount')).toBe(4);
    expect(valueOf(snapshot, 'totalMs')).toBeGreaterThan(imageMs - 1);
  });
});
