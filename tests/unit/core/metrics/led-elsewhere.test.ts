import { expect, test } from 'vitest';
import { findPageObjects } from '#core/metrics/find-page-objects.ts';
import {
  makeFrame,
  makeNavigation,
  makeRequest,
  makeResource,
  makeSnapshot,
  pageUrl,
  startEpochMs,
} from './support/snapshot-parts.ts';
import { readMetric } from './support/read-metric.ts';

const url = 'http://origin.test/image';

test('a page that a service worker takes over counts from its first document, which alone has a request in Firefox (microsoft/playwright#15474)', () => {
  const reloadEpochMs = startEpochMs + 800;
  const snapshot = makeSnapshot({
    documents: [
      { url: pageUrl, startEpochMs },
      { url: pageUrl, startEpochMs: reloadEpochMs },
    ],
    frames: [
      makeFrame({
        timeOrigin: reloadEpochMs,
        firstContentfulPaintMs: 180,
        largestContentfulPaintMs: 200,
        navigation: makeNavigation({ responseEnd: 100 }),
        resources: [makeResource({ name: url, startTime: 120, responseEnd: 150 })],
      }),
    ],
    requests: [
      makeRequest({
        id: '1',
        url: pageUrl,
        type: 'document',
        isMainDocument: true,
        startEpochMs,
        sentEpochMs: startEpochMs + 5,
        endEpochMs: startEpochMs + 50,
      }),
      makeRequest({ id: '2', url, startEpochMs: startEpochMs + 60, endEpochMs: startEpochMs + 300 }),
    ],
  });
  expect(readMetric(snapshot, 'baseMs')).toBe(900);
  expect(readMetric(snapshot, 'totalMs')).toBe(950);
  expect(readMetric(snapshot, 'firstContentfulPaintMs')).toBe(980);
  expect(readMetric(snapshot, 'largestContentfulPaintMs')).toBe(1000);
  expect(readMetric(snapshot, 'requestStartMs')).toBe(5);
  // The image of each document.
  expect(findPageObjects(snapshot).filter((object) => object.url === url)).toHaveLength(2);
});

test('a page that begins a download stays the page, and counts from its own start', () => {
  const asDocument = { type: 'document', isMainDocument: true } as const;
  const snapshot = makeSnapshot({
    documents: [{ url: pageUrl, startEpochMs: startEpochMs - 8 }],
    frames: [makeFrame({ navigation: makeNavigation({ requestStart: 30, responseEnd: 100 }) })],
    requests: [
      makeRequest({ id: '1', url: pageUrl, ...asDocument, startEpochMs: startEpochMs - 8, sentEpochMs: null }),
      makeRequest({ id: '2', url, ...asDocument, startEpochMs: startEpochMs + 300, failure: 'net::ERR_ABORTED' }),
    ],
  });
  expect(readMetric(snapshot, 'baseMs')).toBe(100);
  expect(readMetric(snapshot, 'requestStartMs')).toBe(30);
});

test('an object that a service worker serves ends with its request where its entry ends when it begins', () => {
  const snapshot = makeSnapshot({
    frames: [makeFrame({ resources: [makeResource({ name: url, startTime: 120, responseEnd: 120 })] })],
    requests: [makeRequest({ id: '2', url, startEpochMs: startEpochMs + 120, endEpochMs: startEpochMs + 720 })],
  });
  const object = findPageObjects(snapshot).find((each) => each.url === url);
  expect(object?.endEpochMs).toBe(startEpochMs + 720);
});

/** As Firefox has the entry of what a service worker answered with what may not be read. */
const served = makeResource({
  name: url,
  ...{ startTime: 120, responseStart: 0, responseEnd: 120, transferSize: 0, encodedBodySize: 0, decodedBodySize: 0 },
  ...{ responseStatus: null, nextHopProtocol: '', elementEventMs: 720 },
});

test.each([
  ['a request without a status, as in the extension', [{ status: 0, endEpochMs: startEpochMs + 120 }]],
  ['no request, as of an answer that may not be read', []],
])('where that has no end either, it ends when its element had loaded: %s', (_name, reported) => {
  const snapshot = makeSnapshot({
    frames: [makeFrame({ resources: [served] })],
    requests: reported.map((parts) => makeRequest({ id: '2', url, startEpochMs: startEpochMs + 120, ...parts })),
  });
  const found = findPageObjects(snapshot).filter((object) => object.url === url);
  expect(found).toMatchObject([{ endEpochMs: startEpochMs + 720, failed: false }]);
});

test('what the earlier document asked for just before it was left is another object than that of the page', () => {
  const leftMs = 90;
  const asDocument = { url: pageUrl, type: 'document', isMainDocument: true } as const;
  const snapshot = makeSnapshot({
    frames: [
      makeFrame({
        timeOrigin: startEpochMs + leftMs,
        resources: [makeResource({ name: url, startTime: 50, responseEnd: 350 })],
      }),
    ],
    requests: [
      makeRequest({ id: '1', ...asDocument, startEpochMs, endEpochMs: startEpochMs + 20 }),
      makeRequest({
        id: '2',
        url,
        startEpochMs: startEpochMs + 40,
        endEpochMs: startEpochMs + 100,
        endedBy: 'document-replaced',
      }),
      makeRequest({ id: '3', ...asDocument, startEpochMs: startEpochMs + leftMs, endEpochMs: startEpochMs + 140 }),
    ],
  });
  const ends = findPageObjects(snapshot).flatMap((object) => (object.url === url ? [object.endEpochMs] : []));
  expect(ends.map((end) => end! - startEpochMs)).toEqual([leftMs + 350, 100]);
});

test('what a policy of the page forbids is no object, with a request of the engine or without one', () => {
  const entry = makeResource({
    name: url,
    startTime: 50,
    responseEnd: 50,
    transferSize: 0,
    decodedBodySize: 0,
    responseStatus: 0,
    nextHopProtocol: '',
  });
  const frames = [makeFrame({ resources: [entry, entry] })];
  const request = makeRequest({
    id: '2',
    url,
    status: null,
    failure: ' (csp)',
    startEpochMs: startEpochMs + 50,
    endEpochMs: startEpochMs + 50,
  });
  for (const requests of [[request], []])
    expect(findPageObjects(makeSnapshot({ frames, requests })).filter((object) => object.url === url)).toEqual([]);
});

test('a frame that a policy of the page forbids is no object, where Chrome shows an error page, and where none can be looked into', () => {
  const entry = makeResource({
    name: url,
    initiatorType: 'iframe',
    startTime: 50,
    responseEnd: 90,
    transferSize: 0,
    decodedBodySize: 0,
    responseStatus: 0,
    nextHopProtocol: '',
  });
  const errorPage = makeFrame({
    path: [0],
    url: 'chrome-error://chromewebdata/',
    navigation: makeNavigation({ name: url }),
  });
  const page = makeFrame({ resources: [entry] });
  for (const frames of [[page, errorPage], [page]])
    expect(findPageObjects(makeSnapshot({ frames })).map((object) => object.url)).toEqual([pageUrl]);
  const refused = makeRequest({ id: '2', url, type: 'document', status: null, failure: 'net::ERR_CONNECTION_REFUSED' });
  const failed = findPageObjects(makeSnapshot({ frames: [page, errorPage], requests: [refused] }));
  expect(failed.filter((object) => object.failed)).toHaveLength(1);
});

test('a page that was loaded ahead is painted when it is shown (DataDog/browser-sdk#2859)', () => {
  const snapshot = makeSnapshot({
    frames: [makeFrame({ firstContentfulPaintMs: 80, navigation: makeNavigation({ activationStart: 1500 }) })],
  });
  expect(readMetric(snapshot, 'firstContentfulPaintMs')).toBe(1500);
});
