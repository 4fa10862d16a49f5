import { expect, test } from 'vitest';
import type { ResourceEntry, ViewportNeed } from '#core/metrics/frame-snapshot.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';
import { readMetric } from './support/read-metric.ts';
import {
  makeFrame,
  makeNavigation,
  makeNeed,
  makeRequest,
  makeResource,
  makeSnapshot,
  pageUrl,
} from './support/snapshot-parts.ts';

const url = `${pageUrl}hero.svg`;

interface Fetch extends Partial<ResourceEntry> {
  request?: Partial<NetworkRequest>;
}

function viewportOf(kind: ViewportNeed['kind'], fetches: readonly Fetch[]): number | string {
  const resources = fetches.map((each) =>
    makeResource({ name: url, ...each, initiatorType: each.initiatorType ?? 'img' }),
  );
  const requests = fetches.flatMap(({ request, startTime = 40, responseEnd = 150 }, index) =>
    request ? [makeRequest({ url, id: String(index), startMs: startTime, endMs: responseEnd, ...request })] : [],
  );
  const frame = makeFrame({ resources, viewportNeeds: [makeNeed({ url, kind })] });
  return readMetric(makeSnapshot({ frames: [frame], requests }), 'viewportMs');
}

const preload: Fetch = { initiatorType: 'link', startTime: 20, responseEnd: 200 };

// https://github.com/bluesky-social/social-app/issues/6992, https://github.com/GoogleChrome/lighthouse/issues/10951
test.for([
  ['image', 'img'],
  ['font', 'css'],
  ['css-image', 'css'],
  ['script', 'script'],
  ['style-sheet', 'link'],
] as const)(
  'a preload that the %s cannot use is fetched again, and the second fetch is shown',
  ([kind, initiatorType]) => {
    expect(viewportOf(kind, [preload, { initiatorType, startTime: 300, responseEnd: 1200 }])).toBe(1200);
  },
);

test('a preload that is used ends the viewport, whatever scripts fetch later', () => {
  expect(viewportOf('image', [preload])).toBe(200);
  expect(viewportOf('image', [preload, { initiatorType: 'fetch', startTime: 500, responseEnd: 900 }])).toBe(200);
});

test('what came from the cache is shown with its first fetch', () => {
  const again = { initiatorType: 'img', startTime: 500, responseEnd: 501 };
  expect(viewportOf('image', [preload, { ...again, transferSize: 0, encodedBodySize: 1000 }])).toBe(200);
  expect(
    viewportOf('image', [
      { ...preload, request: {} },
      { ...again, request: { fromCache: true } },
    ]),
  ).toBe(200);
});

test('no viewport waits for a camera’s pictures, which have no end', () => {
  expect(viewportOf('image', [{ responseEnd: 0, request: { type: 'media', endEpochMs: null } }])).toBe(100);
  expect(viewportOf('image', [{ responseEnd: 400, request: { type: 'media' } }])).toBe(100);
});

test('without a preload the first fetch of the frame counts, as before', () => {
  expect(viewportOf('image', [{ responseEnd: 250 }, { startTime: 300, responseEnd: 700 }])).toBe(250);
});

test('an image that failed, or that the page gave up, is shown with the later fetch that came', () => {
  const later = { startTime: 300, responseEnd: 700 };
  const lost = { status: null, failure: 'net::ERR_CONNECTION_RESET' };
  for (const request of [
    { status: 503 },
    lost,
    { failure: 'NS_BINDING_ABORTED' },
    { endedBy: 'document-replaced' as const },
  ])
    expect(viewportOf('image', [{ request }, { ...later, request: {} }]), JSON.stringify(request)).toBe(700);
  // Without the engine's word, the page's own entry has the status.
  expect(viewportOf('image', [{ responseStatus: 503 }, later])).toBe(700);
});

test('of several fetches that failed the first counts, and so it does where a script alone fetched it again', () => {
  const failed = { request: { status: 503 } };
  const again = { startTime: 300, responseEnd: 700 };
  expect(viewportOf('image', [failed, { ...again, ...failed }])).toBe(150);
  expect(viewportOf('image', [failed, { ...again, initiatorType: 'fetch', request: {} }])).toBe(150);
  expect(
    viewportOf('image', [failed, { ...again, ...failed }, { startTime: 800, responseEnd: 900, request: {} }]),
  ).toBe(900);
});

test('what an embedded document shows is needed with it, and an embedded picture by itself', () => {
  const embedded = makeFrame({
    resources: [makeResource({ name: url, startTime: 40, responseEnd: 500, initiatorType: 'embed' })],
    viewportNeeds: [makeNeed({ url, kind: 'embedded' })],
  });
  const inner = `${pageUrl}inner.svg`;
  const child = makeFrame({
    path: [0],
    url,
    navigation: makeNavigation({ name: url, responseEnd: 500 }),
    resources: [makeResource({ name: inner, startTime: 510, responseEnd: 900, initiatorType: 'image' })],
    viewportNeeds: [makeNeed({ url: inner, kind: 'svg-image' })],
  });
  expect(readMetric(makeSnapshot({ frames: [embedded] }), 'viewportMs')).toBe(500);
  expect(readMetric(makeSnapshot({ frames: [embedded, child] }), 'viewportMs')).toBe(900);
});

test('the viewport needs neither what was forbidden before it was asked for nor a frame without a document of the network', () => {
  const resources = [makeResource({ name: url, responseEnd: 200 })];
  const shown = makeNeed({ url, elementEventMs: 201 });
  const others = [
    makeNeed({ url: 'http://elsewhere.test/forbidden.svg', elementEventMs: 900, failed: true }),
    makeNeed({ kind: 'frame', url: 'http://elsewhere.test/forbidden', elementEventMs: 910 }),
    makeNeed({ kind: 'frame', url: 'about:blank', elementEventMs: 920, frameIndex: 0 }),
  ];
  const snapshot = makeSnapshot({ frames: [makeFrame({ resources, viewportNeeds: [shown, ...others] })] });
  expect(readMetric(snapshot, 'viewportObjectCount')).toBe(1);
  expect(readMetric(snapshot, 'viewportMs')).toBe(200);
});

test('what the browser asked for over TLS, though the page wrote http, is shown', () => {
  const resources = [makeResource({ name: 'https://origin.test/hero.svg', startTime: 40, responseEnd: 900 })];
  const viewportNeeds = [makeNeed({ url: 'http://origin.test/hero.svg', kind: 'css-image' })];
  expect(readMetric(makeSnapshot({ frames: [makeFrame({ resources, viewportNeeds })] }), 'viewportMs')).toBe(900);
});

test('a file of a font that another frame declares is none of text whose font no style sheet declares', () => {
  const fonts = [500, 900].map((endMs) => makeRequest({ url: `${pageUrl}${endMs}.woff2`, type: 'font', endMs }));
  const page = makeFrame({ undeclaredFontFamilies: ['own'] });
  const inner = makeFrame({ path: [0], declaredFontUrls: [fonts[1]!.url] });
  expect(readMetric(makeSnapshot({ frames: [page, inner], requests: fonts }), 'viewportMs')).toBe(500);
});

test('a frame of a shadow tree is found by the address that led to it', () => {
  const [asked, led] = [`${pageUrl}embed`, `${pageUrl}player`];
  const page = makeFrame({ viewportNeeds: [makeNeed({ url: asked, kind: 'frame', frameIndex: null })] });
  const inner = makeFrame({
    path: [null],
    url: led,
    navigation: makeNavigation({ name: led, responseEnd: 200 }),
    resources: [makeResource({ name: url, startTime: 210, responseEnd: 900 })],
    viewportNeeds: [makeNeed({ url, kind: 'image' })],
  });
  const requests = [asked, led].map((each, hop) =>
    makeRequest({ url: each, id: '7', hop, type: 'document', isMainDocument: false, startMs: 40, endMs: 200 }),
  );
  expect(readMetric(makeSnapshot({ frames: [page, inner], requests }), 'viewportMs')).toBe(900);
});

test('what Firefox made secure before it asked is one object, though its entry has the address of the page', () => {
  const [written, asked] = ['http://origin.test/hero.svg', 'https://origin.test/hero.svg'];
  const frame = makeFrame({
    resources: [makeResource({ name: written, startTime: 40, responseEnd: 900 })],
    viewportNeeds: [makeNeed({ url: written, kind: 'image' })],
  });
  const requests = [makeRequest({ url: asked, hop: 1, startMs: 41, endMs: 899 })];
  const snapshot = makeSnapshot({ frames: [frame], requests });
  expect(readMetric(snapshot, 'objectCount')).toBe(2);
  expect(readMetric(snapshot, 'viewportMs')).toBe(900);
});
