import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NavigationEntry } from '#core/metrics/frame-snapshot.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import { readMetric } from './support/read-metric.ts';
import { readRecordedVisits } from './support/recorded-visits.ts';
import { makeFrame, makeNavigation, makeRequest, makeSnapshot, pageUrl } from './support/snapshot-parts.ts';

const phases = ['blockedMs', 'dnsMs', 'connectMs', 'requestMs', 'responseMs'] as const;

/** The coarsest of the browsers' clocks, Firefox's `performance.timing`, has whole milliseconds. */
const grainMs = 1;

function valueOf(snapshot: Snapshot, metric: Parameters<typeof readMetric>[1]): number {
  const value = readMetric(snapshot, metric);
  return typeof value === 'number' ? value : 0;
}

function expectToAddUp(snapshot: Snapshot): void {
  const baseMs = valueOf(snapshot, 'baseMs');
  expect(phases.reduce((sum, phase) => sum + valueOf(snapshot, phase), 0)).toBeCloseTo(baseMs, 6);
  expect(valueOf(snapshot, 'firstByteMs') + valueOf(snapshot, 'responseMs')).toBeCloseTo(baseMs, 6);
}

describe.each(readRecordedVisits())('$engine, $cache, $page', ({ truth, snapshot }) => {
  test('the phases add up to the base page latency, and none is negative', () => {
    expect(readMetric(snapshot, 'responseMs')).toBeTypeOf('number');
    expectToAddUp(snapshot);
    for (const phase of [...phases, 'tlsMs'] as const)
      expect(valueOf(snapshot, phase), phase).toBeGreaterThanOrEqual(-grainMs);
  });

  test('HTML that came in pieces has a response as long as the origin took to send it', () => {
    if (truth.responseMs > 200) expect(valueOf(snapshot, 'responseMs')).toBeGreaterThan(0.7 * truth.responseMs);
  });

  test('a connection that the origin saw begin is never one of 0 ms', () => {
    if (!truth.isConnectionNew) return;
    expect(readMetric(snapshot, 'connectMs')).not.toBe(0);
    expect(readMetric(snapshot, 'tlsMs')).not.toBe(0);
  });

  test('a handshake that was held back is in the time that the request waited', () => {
    if (!truth.isConnectionNew || truth.heldMs === 0) return;
    for (const metric of ['connectMs', 'tlsMs'] as const)
      expect(readMetric(snapshot, metric), metric).toBeGreaterThan(0.8 * truth.heldMs);
  });
});

test('every engine is among the recorded Visits, with connections that were new and, in a warm Pass, kept', () => {
  const visits = readRecordedVisits();
  for (const engine of ['chrome', 'firefox', 'extension-chrome', 'extension-firefox', 'http']) {
    const own = visits.filter((visit) => visit.engine === engine);
    expect(new Set(own.map(({ truth }) => truth.isConnectionNew)), engine).toEqual(new Set([true, false]));
  }
});

test('the phases add up with any times of the connection, before or after its request', () => {
  const time = fc.double({ min: -50, max: 200, noNaN: true });
  const connection = fc.record({
    domainLookupStart: time,
    domainLookupEnd: time,
    connectStart: time,
    connectEnd: time,
    secureConnectionStart: time,
  });
  fc.assert(
    fc.property(connection, fc.option(fc.boolean()), (times, isConnectionReused) => {
      const snapshot = makeSnapshot({
        frames: [
          makeFrame({
            navigation: makeNavigation({
              ...times,
              requestStart: 90,
              responseStart: 120,
              responseEnd: 120,
              legacyResponseEndEpochMs: 1_800_000_000_200,
            }),
          }),
        ],
        requests: [
          makeRequest({
            url: pageUrl,
            type: 'document',
            isMainDocument: true,
            startMs: 0,
            endMs: 200,
            isConnectionReused,
          }),
        ],
      });
      expectToAddUp(snapshot);
      for (const phase of phases) expect(valueOf(snapshot, phase)).toBeGreaterThanOrEqual(-1e-9);
    }),
  );
});

test('a connection without a length was kept, opened ahead, or of neither is anything known', () => {
  const read = (
    isConnectionReused: boolean | null | undefined,
    parts: Partial<NavigationEntry> = {},
    fromCache = false,
  ) => {
    const request = makeRequest({
      url: pageUrl,
      type: 'document',
      isMainDocument: true,
      fromCache,
      ...(isConnectionReused !== undefined && { isConnectionReused }),
    });
    const navigation = makeNavigation({
      domainLookupStart: 1,
      domainLookupEnd: 1,
      connectStart: 1,
      connectEnd: 1,
      secureConnectionStart: 1,
      ...parts,
    });
    const snapshot = makeSnapshot({ frames: [makeFrame({ navigation })], requests: [request] });
    return (['dnsMs', 'connectMs', 'tlsMs'] as const).map((metric) => readMetric(snapshot, metric));
  };
  expect(read(true)).toEqual([0, 0, 0]);
  expect(read(undefined)).toEqual([0, 0, 0]);
  expect(read(false)).toEqual(['opened-ahead', 'opened-ahead', 'opened-ahead']);
  expect(read(null)).toEqual(['unsupported', 'unsupported', 'unsupported']);
  expect(read(false, { secureConnectionStart: 0 })).toEqual(['opened-ahead', 'opened-ahead', 'not-applicable']);
  expect(read(false, { connectEnd: 6 })).toEqual([0, 5, 5]);
  // A page from the cache waited for none.
  expect(read(false, {}, true)).toEqual([0, 0, 0]);
  expect(read(null, {}, true)).toEqual([0, 0, 0]);
});

test('a resolution that was over when the request began is absent, though the connection was not', () => {
  const at = 1_800_000_000_001;
  const exchange = {
    method: 'GET',
    statusText: null,
    mimeType: null,
    serverAddress: null,
    headers: null,
    phases: { dns: [at, at], connect: [at, at + 5], tls: [at, at + 5], send: null },
  } as const;
  const request = makeRequest({
    url: pageUrl,
    type: 'document',
    isMainDocument: true,
    isConnectionReused: false,
    exchange: structuredClone(exchange) as never,
  });
  const navigation = makeNavigation({
    domainLookupStart: 1,
    domainLookupEnd: 1,
    connectStart: 1,
    connectEnd: 6,
    secureConnectionStart: 1,
  });
  const snapshot = makeSnapshot({ frames: [makeFrame({ navigation })], requests: [request] });
  expect((['dnsMs', 'connectMs', 'tlsMs'] as const).map((metric) => readMetric(snapshot, metric))).toEqual([
    'opened-ahead',
    5,
    5,
  ]);
  expectToAddUp(snapshot);
});

test('the start of the first of several requests is absent where the engine does not know when it was sent', () => {
  const hop = (parts: Partial<Parameters<typeof makeRequest>[0]>) =>
    makeRequest({ url: pageUrl, id: 'document', type: 'document', isMainDocument: true, ...parts });
  const read = (first: Partial<Parameters<typeof makeRequest>[0]>) =>
    readMetric(
      makeSnapshot({ requests: [hop({ url: `${pageUrl}old`, startMs: 1, ...first }), hop({ hop: 1, startMs: 20 })] }),
      'requestStartMs',
    );
  expect(read({})).toBe(2);
  expect(read({ sentEpochMs: null })).toBe('unsupported');
  expect(read({ sentEpochMs: null, fromCache: true })).toBe('not-applicable');
});

test('where the browser itself redirects to TLS, the first request that is sent is the next', () => {
  const [url, secure] = ['http://origin.test/page', 'https://origin.test/page'];
  const hop = { id: 'document', type: 'document', isMainDocument: true } as const;
  const own = makeRequest({ url, ...hop, startMs: 0, status: 307, sentEpochMs: null });
  const sent = makeRequest({ url: secure, ...hop, hop: 1, startMs: 20 });
  expect(readMetric(makeSnapshot({ requests: [own, sent] }), 'requestStartMs')).toBe(21);
});
