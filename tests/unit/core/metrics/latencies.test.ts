import { expect, test } from 'vitest';
import type { ViewportNeed } from '#core/metrics/frame-snapshot.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';
import {
  makeFrame,
  makeNavigation,
  makeNeed,
  makeRequest,
  makeResource,
  makeSnapshot,
  pageUrl,
  startEpochMs,
} from './support/snapshot-parts.ts';
import { readMetric } from './support/read-metric.ts';

const imageUrl = `${pageUrl}image.jpg`;
const frameUrl = 'http://other.test/frame';

const pageWith = (parts: Parameters<typeof makeFrame>[0], requests: Parameters<typeof makeSnapshot>[0] = {}) =>
  makeSnapshot({ frames: [makeFrame(parts)], ...requests });

test('a page of one document has the same base, viewport and total latency', () => {
  const snapshot = makeSnapshot();
  expect(['baseMs', 'viewportMs', 'totalMs'].map((metric) => readMetric(snapshot, metric as 'baseMs'))).toEqual([
    100, 100, 100,
  ]);
});

test('an object in the viewport decides both its latency and the total, one below it the total alone', () => {
  const resources = [
    makeResource({ name: imageUrl, responseEnd: 400 }),
    makeResource({ name: `${pageUrl}below.jpg`, responseEnd: 500 }),
  ];
  const snapshot = pageWith({ resources, viewportNeeds: [makeNeed({ url: imageUrl })] });
  expect([readMetric(snapshot, 'viewportMs'), readMetric(snapshot, 'totalMs')]).toEqual([400, 500]);
});

test('the viewport latency is never less than the base page latency', () => {
  const snapshot = pageWith({
    resources: [makeResource({ name: imageUrl, responseEnd: 60 })],
    viewportNeeds: [makeNeed({ url: imageUrl })],
  });
  expect(readMetric(snapshot, 'viewportMs')).toBe(100);
});

test('the end of an object is the probe’s where it knows one, else the engine’s, else the element’s', () => {
  const viewportNeeds = [makeNeed({ url: imageUrl, elementEventMs: 700 })];
  const request = makeRequest({ url: imageUrl, endMs: 600 });
  const resources = [makeResource({ name: imageUrl, responseEnd: 500 })];
  expect(readMetric(pageWith({ viewportNeeds, resources }, { requests: [request] }), 'viewportMs')).toBe(500);
  expect(readMetric(pageWith({ viewportNeeds }, { requests: [request] }), 'viewportMs')).toBe(600);
  expect(readMetric(pageWith({ viewportNeeds }), 'viewportMs')).toBe(700);
});

test('a failed object counts until its failure, and is reported', () => {
  const requests = [makeRequest({ url: imageUrl, endMs: 450, failure: 'net::ERR_CONNECTION_RESET', status: null })];
  const snapshot = pageWith({ viewportNeeds: [makeNeed({ url: imageUrl, failed: true })] }, { requests });
  expect([readMetric(snapshot, 'viewportMs'), readMetric(snapshot, 'failedObjectCount')]).toEqual([450, 1]);
});

test('a counted object in flight at the hard cap leaves total, and if it is in the viewport that too, not reached', () => {
  const requests = [makeRequest({ url: imageUrl, endMs: null })];
  const below = makeSnapshot({ settled: false, requests });
  expect([readMetric(below, 'viewportMs'), readMetric(below, 'totalMs')]).toEqual([100, 'not-reached']);
  const needed = pageWith(
    { viewportNeeds: [makeNeed({ url: imageUrl, pending: true })] },
    { settled: false, requests },
  );
  expect([readMetric(needed, 'viewportMs'), readMetric(needed, 'totalMs')]).toEqual(['not-reached', 'not-reached']);
});

test('before its load event, a page has no total, and what it showed already has its latencies', () => {
  const parts = { navigation: makeNavigation({ loadEventStart: 0, loadEventEnd: 0 }) };
  const before = pageWith(parts, { settled: false });
  expect(['baseMs', 'viewportMs', 'totalMs'].map((metric) => readMetric(before, metric as 'baseMs'))).toEqual([
    100,
    100,
    'not-reached',
  ]);
});

test('what begins while a page that has settled is read out counts nowhere, in the viewport neither', () => {
  const later = `${pageUrl}later.jpg`;
  const laterFrame = makeFrame({ path: [0], url: frameUrl, timeOrigin: startEpochMs + 2050 });
  const snapshot = makeSnapshot({
    takenEpochMs: startEpochMs + 2000,
    frames: [
      makeFrame({
        resources: [
          makeResource({ name: imageUrl, responseEnd: 400 }),
          makeResource({ name: later, startTime: 2020, responseEnd: 2040 }),
        ],
        viewportNeeds: [
          makeNeed({ url: imageUrl }),
          makeNeed({ url: later, elementEventMs: 2041 }),
          makeNeed({ url: `${pageUrl}never.jpg`, pending: true }),
          makeNeed({ kind: 'frame', url: frameUrl, frameIndex: 0 }),
        ],
      }),
      laterFrame,
    ],
  });
  const read = (parts: Partial<typeof snapshot>) =>
    (['viewportMs', 'viewportObjectCount', 'totalMs', 'objectCount'] as const).map((metric) =>
      readMetric({ ...snapshot, ...parts }, metric),
    );
  expect(read({})).toEqual([400, 1, 400, 2]);
  // An Agent whose clock was behind took its Snapshot after its last request all the same.
  const requests = [makeRequest({ url: imageUrl, endMs: 400 })];
  expect(read({ takenEpochMs: startEpochMs - 5000, requests })).toEqual([400, 1, 400, 2]);
});

test('without a load event the total latency is not reached, even if everything has ended', () => {
  const snapshot = pageWith({ navigation: makeNavigation({ loadEventStart: 0, loadEventEnd: 0 }) });
  expect([readMetric(snapshot, 'loadEventMs'), readMetric(snapshot, 'totalMs')]).toEqual([
    'not-reached',
    'not-reached',
  ]);
});

test('a base page in flight is not reached, and nor is its viewport', () => {
  const snapshot = pageWith(
    { navigation: makeNavigation({ responseEnd: 0, loadEventStart: 0 }) },
    {
      settled: false,
      requests: [makeRequest({ url: pageUrl, type: 'document', isMainDocument: true, startMs: 0, endMs: null })],
    },
  );
  expect([readMetric(snapshot, 'baseMs'), readMetric(snapshot, 'viewportMs')]).toEqual(['not-reached', 'not-reached']);
});

test('a frame’s own report replaces its entry in the parent, which may end far too late', () => {
  const child = makeFrame({
    path: [0],
    url: frameUrl,
    timeOrigin: startEpochMs + 50,
    navigation: makeNavigation({ name: frameUrl, responseEnd: 200 }),
  });
  const parent = makeFrame({
    resources: [makeResource({ name: frameUrl, initiatorType: 'iframe', responseEnd: 888 })],
    viewportNeeds: [makeNeed({ url: frameUrl, kind: 'frame', frameIndex: 0 })],
  });
  const snapshot = makeSnapshot({ frames: [parent, child] });
  expect([
    readMetric(snapshot, 'viewportMs'),
    readMetric(snapshot, 'totalMs'),
    readMetric(snapshot, 'objectCount'),
  ]).toEqual([250, 250, 2]);
});

test('a frame that did not report keeps its entry in the parent', () => {
  const snapshot = pageWith({
    resources: [makeResource({ name: frameUrl, initiatorType: 'iframe', responseEnd: 400 })],
    viewportNeeds: [makeNeed({ url: frameUrl, kind: 'frame', frameIndex: 0 })],
  });
  expect([readMetric(snapshot, 'viewportMs'), readMetric(snapshot, 'totalMs')]).toEqual([400, 400]);
});

test('a frame that went away before it reported ends with its last byte: in Chrome its entry ends with its load event', () => {
  for (const initiatorType of ['iframe', 'frame', 'object', 'embed']) {
    const resources = [makeResource({ name: frameUrl, initiatorType, startTime: 120, responseEnd: 888 })];
    const framed = makeRequest({ url: frameUrl, type: 'document', startMs: 120, endMs: 200 });
    const read = (requests: NetworkRequest[]) => readMetric(pageWith({ resources }, { requests }), 'totalMs');
    expect(read([framed])).toBe(200);
    expect(read([{ ...framed, endEpochMs: startEpochMs + 190, endedBy: 'document-replaced' }])).toBe(190);
    expect(read([{ ...framed, endEpochMs: null }])).toBe('not-reached');
    expect(read([])).toBe(888);
  }
});

test('what a frame outside of the viewport needs is not needed by the viewport', () => {
  const sheetUrl = 'http://other.test/sheet.css';
  const child = makeFrame({
    path: [0],
    url: frameUrl,
    navigation: makeNavigation({ name: frameUrl, responseEnd: 200 }),
    resources: [makeResource({ name: sheetUrl, initiatorType: 'link', responseEnd: 700 })],
    viewportNeeds: [makeNeed({ url: sheetUrl, kind: 'style-sheet', areaPx: null })],
  });
  const snapshot = makeSnapshot({ frames: [makeFrame(), child] });
  expect([readMetric(snapshot, 'viewportMs'), readMetric(snapshot, 'totalMs')]).toEqual([100, 700]);
});

test('script fetches count when they began before the load event', () => {
  const fetchAt = (startTime: number) =>
    pageWith({
      resources: [makeResource({ name: `${pageUrl}data`, initiatorType: 'fetch', startTime, responseEnd: 900 })],
    });
  expect([readMetric(fetchAt(299), 'totalMs'), readMetric(fetchAt(300), 'totalMs')]).toEqual([900, 100]);
});

test('what a frame fetched after the page had settled, while it was read out, counts for no latency', () => {
  const later = { name: imageUrl, startTime: 2000, responseEnd: 2300 };
  const parts = {
    resources: [makeResource(later)],
    viewportNeeds: [makeNeed({ url: imageUrl, elementEventMs: 2301 })],
  };
  const read = (takenMs: number) => {
    const snapshot = pageWith(parts, { takenEpochMs: startEpochMs + takenMs });
    return (['viewportMs', 'totalMs', 'objectCount', 'viewportObjectCount'] as const).map((metric) =>
      readMetric(snapshot, metric),
    );
  };
  expect(read(1999)).toEqual([100, 100, 1, 0]);
  expect(read(2400)).toEqual([2300, 2300, 2, 1]);
});

test('a request that the engine saw before the page had settled counts, even where the clock of its frame is ahead', () => {
  const request = makeRequest({ url: imageUrl, endMs: 600 });
  const resources = [makeResource({ name: imageUrl, startTime: 520, responseEnd: 601 })];
  const snapshot = pageWith({ resources }, { requests: [request], takenEpochMs: startEpochMs + 510 });
  expect(readMetric(snapshot, 'totalMs')).toBe(601);
});

test('a prefetch does not count, an unused preload does', () => {
  const entry = makeResource({ name: `${pageUrl}hint`, initiatorType: 'link', responseEnd: 900 });
  expect(readMetric(pageWith({ resources: [entry] }), 'totalMs')).toBe(900);
  expect(readMetric(pageWith({ resources: [entry], prefetchUrls: [entry.name] }), 'totalMs')).toBe(100);
});

test('a font that no readable style sheet declares is found where visible text uses such a one', () => {
  const fontUrl = 'http://other.test/font.woff2';
  const requests = [makeRequest({ url: fontUrl, type: 'font', endMs: 500 })];
  expect(readMetric(pageWith({ undeclaredFontFamilies: ['x'] }, { requests }), 'viewportMs')).toBe(500);
  expect(
    readMetric(pageWith({ undeclaredFontFamilies: ['x'], declaredFontUrls: [fontUrl] }, { requests }), 'viewportMs'),
  ).toBe(100);
  expect(readMetric(pageWith({}, { requests }), 'viewportMs')).toBe(100);
});

test('of several fonts that a style sheet declares which could not be read, one may be needed below the viewport alone: what it would decide is absent', () => {
  const hidden = { undeclaredFontFamilies: ['x'], opaqueStyleSheets: ['http://other.test/fonts.css'] };
  const font = (name: string, endMs: number) =>
    makeRequest({ url: `http://other.test/${name}.woff2`, type: 'font', endMs });
  const read = (requests: NetworkRequest[], needs: ViewportNeed[] = []) => {
    const page = pageWith({ ...hidden, viewportNeeds: needs }, { requests });
    return (['viewportMs', 'viewportObjectCount'] as const).map((metric) => readMetric(page, metric));
  };
  expect(read([font('a', 500)])).toEqual([500, 1]);
  expect(read([font('a', 500), font('b', 700)])).toEqual(['timing-hidden', 'timing-hidden']);
  const image = makeRequest({ url: `${pageUrl}image.jpg`, endMs: 800 });
  expect(read([font('a', 500), font('b', 700), image], [makeNeed({ url: image.url })])).toEqual([800, 'timing-hidden']);
});

test('a style sheet that a blocking one imports is needed, though the page cannot see it', () => {
  const sheetUrl = 'http://other.test/sheet.css';
  const requests = [
    makeRequest({ url: sheetUrl, type: 'style-sheet', endMs: 200 }),
    makeRequest({ url: `${sheetUrl}?imported`, type: 'style-sheet', initiatorUrl: sheetUrl, startMs: 210, endMs: 420 }),
  ];
  expect(
    readMetric(
      pageWith({ viewportNeeds: [makeNeed({ url: sheetUrl, kind: 'style-sheet' })] }, { requests }),
      'viewportMs',
    ),
  ).toBe(420);
});

test('of a redirected page the first request’s start is reported, and all of its hops are in the base page latency', () => {
  const document = { type: 'document', isMainDocument: true, id: '1' } as const;
  const snapshot = makeSnapshot({
    requests: [
      makeRequest({ ...document, url: 'http://origin.test/old', startMs: 1, endMs: 60, status: 302 }),
      makeRequest({ ...document, url: pageUrl, hop: 1, startMs: 60, endMs: 100 }),
    ],
    frames: [makeFrame({ navigation: makeNavigation({ requestStart: 61 }) })],
  });
  expect([
    readMetric(snapshot, 'requestStartMs'),
    readMetric(snapshot, 'baseMs'),
    readMetric(snapshot, 'objectCount'),
  ]).toEqual([2, 100, 1]);
});

test('a page that sent itself elsewhere is timed from its first request', () => {
  const document = { type: 'document', isMainDocument: true } as const;
  const snapshot = makeSnapshot({
    requests: [
      makeRequest({ ...document, id: '1', url: 'http://origin.test/first', startMs: -400, endMs: -100 }),
      makeRequest({ ...document, id: '2', url: pageUrl, startMs: 1, endMs: 100 }),
    ],
  });
  expect([
    readMetric(snapshot, 'baseMs'),
    readMetric(snapshot, 'loadEventMs'),
    readMetric(snapshot, 'requestStartMs'),
  ]).toEqual([500, 700, 1]);
});

test('Firefox’s older end of the response is taken where its entry repeats the start', () => {
  const snapshot = pageWith({
    navigation: makeNavigation({ responseStart: 30, responseEnd: 30, legacyResponseEndEpochMs: startEpochMs + 100 }),
  });
  expect(readMetric(snapshot, 'baseMs')).toBe(100);
});

test('a page that was hidden has no viewport latency', () => {
  expect(readMetric(pageWith({ viewportNeeds: null }), 'viewportMs')).toBe('page-hidden');
});
