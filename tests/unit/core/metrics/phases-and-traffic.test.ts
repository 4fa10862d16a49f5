import { expect, test } from 'vitest';
import { countHttpVersions } from '#controller/visits/snapshot-columns.ts';
import { explainOtherProtocol } from '#agent/engines/browser/hold-to-protocols.ts';
import {
  makeFrame,
  makeNavigation,
  makeRequest,
  makeResource,
  makeSnapshot,
  pageUrl,
} from './support/snapshot-parts.ts';
import { readMetric } from './support/read-metric.ts';

test('the phases of the base page are those of Navigation Timing', () => {
  const snapshot = makeSnapshot();
  const phases = (
    ['requestStartMs', 'firstByteMs', 'loadEventMs', 'dnsMs', 'connectMs', 'requestMs', 'responseMs'] as const
  ).map((metric) => readMetric(snapshot, metric));
  expect(phases).toEqual([10, 30, 300, 3, 4, 20, 70]);
});

test('an early hint before the page’s answer is no first byte of it', () => {
  const navigation = makeNavigation({ finalResponseHeadersStart: 90 });
  const snapshot = makeSnapshot({ frames: [makeFrame({ navigation })] });
  const phases = (['firstByteMs', 'requestMs', 'responseMs'] as const).map((metric) => readMetric(snapshot, metric));
  expect(phases).toEqual([90, 80, 10]);
});

test('objects that an early hint named are counted', () => {
  const resources = ['early-hints', 'early-hints', 'img'].map((initiatorType, index) =>
    makeResource({ name: `${pageUrl}${index}.jpg`, initiatorType }),
  );
  expect(readMetric(makeSnapshot({ frames: [makeFrame({ resources })] }), 'hintedObjectCount')).toBe(2);
  expect(readMetric(makeSnapshot(), 'hintedObjectCount')).toBe(0);
});

test('a plain connection has no TLS handshake, a secure one has', () => {
  expect(readMetric(makeSnapshot(), 'tlsMs')).toBe('not-applicable');
  const secure = makeSnapshot({ frames: [makeFrame({ navigation: makeNavigation({ secureConnectionStart: 6 }) })] });
  expect(readMetric(secure, 'tlsMs')).toBe(3);
});

test('a paint that did not take place is absent, and says whether the page was hidden', () => {
  const paintOf = (wasEverHidden: boolean) =>
    readMetric(
      makeSnapshot({ frames: [makeFrame({ firstPaintMs: null, firstContentfulPaintMs: null, wasEverHidden })] }),
      'firstPaintMs',
    );
  expect([paintOf(false), paintOf(true)]).toEqual(['not-reached', 'page-hidden']);
});

test('a browser that reports the first contentful paint alone has no first paint', () => {
  expect(
    readMetric(
      makeSnapshot({ frames: [makeFrame({ firstPaintMs: null, firstContentfulPaintMs: 40 })] }),
      'firstPaintMs',
    ),
  ).toBe('unsupported');
});

test('an engine that lays nothing out has no viewport latency and no paints, and says so', () => {
  const snapshot = makeSnapshot({ viewport: null, frames: [makeFrame({ viewportNeeds: null, firstPaintMs: null })] });
  const metrics = [
    'viewportMs',
    'viewportObjectCount',
    'firstPaintMs',
    'firstContentfulPaintMs',
    'largestContentfulPaintMs',
  ] as const;
  expect(metrics.map((metric) => readMetric(snapshot, metric))).toEqual(metrics.map(() => 'unsupported'));
});

test('bytes and connections are the engine’s, over all hops of what counts', () => {
  const snapshot = makeSnapshot({
    requests: [
      makeRequest({
        url: pageUrl,
        type: 'document',
        isMainDocument: true,
        receivedBytes: 1000,
        decodedBytes: 3000,
        connectionId: '1',
      }),
      makeRequest({
        id: 'image',
        url: `${pageUrl}old.jpg`,
        status: 302,
        receivedBytes: 100,
        decodedBytes: null,
        connectionId: '1',
      }),
      makeRequest({
        id: 'image',
        hop: 1,
        url: `${pageUrl}new.jpg`,
        receivedBytes: 500,
        decodedBytes: 400,
        connectionId: '2',
      }),
      makeRequest({ url: `${pageUrl}beacon`, type: 'ping', connectionId: '3' }),
    ],
  });
  const traffic = (['objectCount', 'receivedBytes', 'decodedBytes', 'connectionCount'] as const).map((metric) =>
    readMetric(snapshot, metric),
  );
  expect(traffic).toEqual([2, 1600, 3400, 2]);
});

test('without an engine’s events the page reports its sizes, unless another origin hides them', () => {
  const withImage = (name: string, decodedBodySize: number) =>
    makeSnapshot({ frames: [makeFrame({ resources: [makeResource({ name, decodedBodySize })] })] });
  expect(readMetric(withImage(`${pageUrl}image.jpg`, 700), 'decodedBytes')).toBe(2700);
  expect(readMetric(withImage('http://other.test/image.jpg', 0), 'decodedBytes')).toBe('timing-hidden');
  expect(readMetric(withImage(`${pageUrl}image.jpg`, 700), 'connectionCount')).toBe('unsupported');
});

test.each([
  ['of a frame without an origin, as in a sandbox', {}, 'timing-hidden'],
  ['that failed', { failure: 'net::ERR_CONNECTION_RESET' }, 1300],
  ['without an answer', { status: null }, 1300],
])('an entry of the page’s own origin that has no sizes: %s', (_name, parts, bytes) => {
  const name = `${pageUrl}image.jpg`;
  const entry = makeResource({ name, transferSize: 0, decodedBodySize: 0, responseStatus: null });
  const unsized = { receivedBytes: null, decodedBytes: null };
  const document = makeRequest({ url: pageUrl, type: 'document', isMainDocument: true, ...unsized });
  const image = makeRequest({ url: name, ...unsized, ...parts });
  const snapshot = makeSnapshot({ frames: [makeFrame({ resources: [entry] })], requests: [document, image] });
  expect(readMetric(snapshot, 'receivedBytes')).toBe(bytes);
});

test('what is known by the page’s entry alone, as an `object` in Firefox, is in a sum by that, or there is none', () => {
  const document = makeRequest({ url: pageUrl, type: 'document', isMainDocument: true });
  const read = (url: string, decodedBodySize: number) => {
    const unsized = { status: null, receivedBytes: null, decodedBytes: null };
    const object = makeRequest({ url, type: 'document', endedBy: 'probe', ...unsized });
    const entry = makeResource({ name: url, initiatorType: 'object', decodedBodySize });
    const snapshot = makeSnapshot({ frames: [makeFrame({ resources: [entry] })], requests: [document, object] });
    return [readMetric(snapshot, 'receivedBytes'), readMetric(snapshot, 'decodedBytes')];
  };
  expect(read(`${pageUrl}object`, 500)).toEqual([2600, 2500]);
  expect(read('http://other.test/object', 0)).toEqual(['timing-hidden', 'timing-hidden']);
});

test('a body whose size after decompression the engine does not report is no 0 in a sum: the page reports all sizes, or none is known', () => {
  const document = makeRequest({
    url: pageUrl,
    type: 'document',
    isMainDocument: true,
    receivedBytes: 1000,
    decodedBytes: null,
    connectionId: null,
  });
  const image = (url: string) =>
    makeRequest({ id: 'image', url, receivedBytes: 500, decodedBytes: 400, connectionId: null });
  const reported = makeSnapshot({
    frames: [makeFrame({ resources: [makeResource({ name: `${pageUrl}image.jpg`, decodedBodySize: 400 })] })],
    requests: [document, image(`${pageUrl}image.jpg`)],
  });
  const traffic = (['receivedBytes', 'decodedBytes', 'connectionCount'] as const).map((metric) =>
    readMetric(reported, metric),
  );
  expect(traffic).toEqual([1500, 2400, 'unsupported']);
  expect(readMetric(makeSnapshot({ requests: [document, image('http://other.test/image.jpg')] }), 'decodedBytes')).toBe(
    'timing-hidden',
  );
});

test('objects are counted by the version of HTTP that their last hop came by; what was in the cache, had no answer, or does not count is not', () => {
  const snapshot = makeSnapshot({
    frames: [
      makeFrame({
        navigation: makeNavigation({ nextHopProtocol: 'h3' }),
        resources: [makeResource({ name: `${pageUrl}seen-by-the-page.jpg`, nextHopProtocol: 'h2' })],
      }),
    ],
    requests: [
      makeRequest({ id: 'image', url: `${pageUrl}old.jpg`, status: 302, protocol: 'http/1.1' }),
      makeRequest({ id: 'image', hop: 1, url: `${pageUrl}new.jpg`, protocol: 'h2' }),
      makeRequest({ url: `${pageUrl}cached.jpg`, protocol: 'http/1.1', fromCache: true }),
      makeRequest({ url: `${pageUrl}refused.jpg`, protocol: null, failure: 'net::ERR_CONNECTION_REFUSED' }),
      makeRequest({ url: `${pageUrl}beacon`, type: 'ping', protocol: 'http/1.1' }),
    ],
  });
  expect(countHttpVersions(snapshot)).toEqual({ h3: 1, h2: 2 });
});

test('an object of a measured origin by another version of HTTP is named; others, and those without an answer, are not', () => {
  const object = (url: string, protocol: string) => makeRequest({ id: url, url, type: 'image', protocol });
  const explain = (...objects: ReturnType<typeof object>[]) =>
    explainOtherProtocol(
      makeSnapshot({
        requests: [makeRequest({ url: pageUrl, type: 'document', isMainDocument: true, protocol: 'h3' }), ...objects],
      }),
      { protocol: 'h3', origins: [new URL(pageUrl).origin] },
    );
  expect(explain(object(`${pageUrl}a.jpg`, 'h3'), object('http://other.test/b.jpg', 'h2'))).toBeNull();
  expect(explain(object(`${pageUrl}a.jpg`, ''))).toBeNull();
  expect(explain(object(`${pageUrl}a.jpg`, 'h3'), object(`${pageUrl}b.jpg`, 'h2'))).toBe(
    `1 of 3 objects did not come by h3: ${pageUrl}b.jpg came by h2`,
  );
});

test.for<[string, object, number | 'timing-hidden']>([
  ['whose size is reported', { decodedBytes: 500 }, 3500],
  ['that came whole', {}, 'timing-hidden'],
  ['that came in part', { status: 206 }, 'timing-hidden'],
  ['that is in flight', { endMs: null }, 3000],
  ['without an answer', { status: null, failure: 'net::ERR_FAILED' }, 3000],
  ['that failed', { failure: 'net::ERR_CONTENT_DECODING_FAILED' }, 3000],
  ['of the cache', { fromCache: true }, 'timing-hidden'],
  ['of the cache whose size is reported', { fromCache: true, decodedBytes: 500 }, 3500],
  ['that is not there', { status: 404 }, 3000],
  ['that is unchanged', { status: 304 }, 'timing-hidden'],
  ['that moved', { status: 300 }, 3000],
  ['that is only announced', { status: 199 }, 3000],
])('the bytes of a page with an object %s', ([, change, bytes]) => {
  const document = makeRequest({ url: pageUrl, type: 'document', isMainDocument: true, decodedBytes: 3000 });
  const object = makeRequest({ url: 'http://other.test/image.jpg', decodedBytes: null, ...change });
  expect(readMetric(makeSnapshot({ requests: [document, object] }), 'decodedBytes')).toBe(bytes);
});
