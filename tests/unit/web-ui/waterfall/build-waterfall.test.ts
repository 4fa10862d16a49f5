import { expect, test } from 'vitest';
import { splitLatencies } from '#core/causes/split-latencies.ts';
import type { ResourceEntry } from '#core/metrics/frame-snapshot.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import { buildWaterfall } from '#web-ui/src/waterfall/build-waterfall.ts';
import { describeNeeded } from '#web-ui/src/pages/visit/waterfall-section.tsx';
import { makeSnapshot } from '#tests/support/make-snapshot.ts';
import { pathOf } from '#web-ui/src/pages/visit/use-seen-visit.ts';
import { makeNeed, makeResource } from '../../core/metrics/support/snapshot-parts.ts';

const pageUrl = 'http://origin.test/page';
const base = makeSnapshot({ url: pageUrl, totalMs: 100 });
const originEpochMs = base.frames[0]!.timeOrigin;

function makeRequest(change: Partial<NetworkRequest> & { id: string }): NetworkRequest {
  return {
    hop: 0,
    url: `http://origin.test/${change.id}`,
    type: 'image',
    isMainDocument: false,
    isRenderBlocking: null,
    initiatorUrl: null,
    startEpochMs: originEpochMs + 110,
    sentEpochMs: originEpochMs + 130,
    responseEpochMs: originEpochMs + 180,
    endEpochMs: originEpochMs + 200,
    failure: null,
    status: 200,
    protocol: 'h2',
    connectionId: 'a',
    fromCache: false,
    receivedBytes: 900,
    decodedBytes: 800,
    ...change,
  };
}

function withRequests(requests: NetworkRequest[], needs: Snapshot['frames'][number]['viewportNeeds'] = []): Snapshot {
  return { ...base, frames: [{ ...base.frames[0]!, viewportNeeds: needs }], requests };
}

test('a page that only the probe saw has the phases of its Navigation Timing', () => {
  const { rows, endMs } = buildWaterfall(base);
  expect(rows).toHaveLength(1);
  expect(rows[0]!.phases.map(({ kind, startMs, endMs: end }) => [kind, startMs, end])).toEqual([
    ['blocked', 0, 1],
    ['dns', 1, 2],
    ['connect', 2, 4],
    ['wait', 5, 90],
    ['receive', 90, 100],
  ]);
  expect(rows[0]).toMatchObject({
    viewportNeed: 'page',
    status: 200,
    protocol: 'http/1.1',
    connection: null,
    frameUrl: null,
  });
  expect(endMs).toBe(100);
});

test('of a page that only the probe saw, sizes that it reads as 0 are not known', () => {
  const [frame] = base.frames;
  const sizesOf = (transferSize: number, decodedBodySize: number) => {
    const navigation = { ...frame!.navigation!, transferSize, decodedBodySize };
    const { receivedBytes, decodedBytes } = buildWaterfall({ ...base, frames: [{ ...frame!, navigation }] }).rows[0]!;
    return { receivedBytes, decodedBytes };
  };
  expect(sizesOf(0, 0)).toEqual({ receivedBytes: null, decodedBytes: null });
  expect(sizesOf(900, 0)).toEqual({ receivedBytes: 900, decodedBytes: null });
  expect(sizesOf(0, 800)).toEqual({ receivedBytes: null, decodedBytes: 800 });
});

test('the phases of a request follow one another from its start to its end, TLS after the rest of the connection', () => {
  const at = (ms: number) => originEpochMs + ms;
  const exchange = {
    method: 'GET',
    statusText: null,
    mimeType: null,
    serverAddress: '192.0.2.1',
    headers: null,
    phases: {
      dns: [at(110), at(112)],
      connect: [at(112), at(128)],
      tls: [at(120), at(128)],
      send: null,
    } as NonNullable<NetworkRequest['exchange']>['phases'],
  };
  const { rows } = buildWaterfall(withRequests([makeRequest({ id: 'a.png', exchange })]));
  const { phases, startMs, endMs, serverAddress } = rows[1]!;
  expect(phases[0]!.startMs).toBe(startMs);
  expect(phases.at(-1)!.endMs).toBe(endMs);
  for (const [index, phase] of phases.slice(1).entries()) expect(phase.startMs).toBe(phases[index]!.endMs);
  expect(Object.fromEntries(phases.map((phase) => [phase.kind, phase.endMs - phase.startMs]))).toEqual({
    blocked: 2,
    dns: 2,
    connect: 8,
    tls: 8,
    wait: 50,
    receive: 20,
  });
  expect(serverAddress).toBe('192.0.2.1');
});

test('every hop of a redirect has its row, and connections are numbered in the order of their first use', () => {
  const rows = buildWaterfall(
    withRequests([
      makeRequest({
        id: 'late',
        connectionId: 'z',
        startEpochMs: originEpochMs + 150,
        sentEpochMs: originEpochMs + 160,
      }),
      makeRequest({ id: 'moved', connectionId: 'y', endEpochMs: originEpochMs + 185 }),
      makeRequest({
        id: 'moved',
        hop: 1,
        url: 'http://origin.test/there',
        connectionId: 'z',
        startEpochMs: originEpochMs + 190,
        sentEpochMs: null,
        responseEpochMs: null,
        endEpochMs: null,
      }),
    ]),
  ).rows;
  expect(rows.map(({ url, connection }) => [new URL(url).pathname, connection])).toEqual([
    ['/page', null],
    ['/moved', 1],
    ['/late', 2],
    ['/there', 2],
  ]);
  const inFlight = rows.at(-1)!;
  expect(inFlight.endMs).toBeNull();
  expect(inFlight.phases.at(-1)!.endMs).toBe(base.takenEpochMs - originEpochMs);
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
});

test('of a redirected page that the viewport needs, one row is marked: that of where it led', () => {
  const page = { id: 'page', type: 'document' as const, isMainDocument: true };
  const { rows } = buildWaterfall(
    withRequests([
      makeRequest({ ...page, url: 'http://origin.test/from', status: 302 }),
      makeRequest({ ...page, hop: 1, url: 'http://origin.test/page' }),
    ]),
  );
  const ofPage = rows.filter(({ url }) => /from|page$/.test(url)).map(({ url, viewportNeed }) => [url, viewportNeed]);
  expect(ofPage).toEqual([
    ['http://origin.test/from', null],
    ['http://origin.test/page', 'page'],
  ]);
  expect(describeNeeded(rows)).toBe('; the viewport needs the page (1\u00A0◆)');
  expect(describeNeeded([])).toBe('');
});

test('what the initial viewport needs is marked, and nothing else', () => {
  const need = makeNeed({ url: 'http://origin.test/seen.png' });
  const { rows } = buildWaterfall(
    withRequests([makeRequest({ id: 'seen.png' }), makeRequest({ id: 'below.png' })], [need]),
  );
  expect(rows.map(({ url, viewportNeed }) => [new URL(url).pathname, viewportNeed])).toEqual([
    ['/page', 'page'],
    ['/seen.png', 'image'],
    ['/below.png', null],
  ]);
});

test('the diamond is also at an image whose address the browser made secure', () => {
  const secure = makeRequest({ id: 'seen.png', url: 'https://origin.test/seen.png' });
  const { rows } = buildWaterfall(withRequests([secure], [makeNeed({ url: 'http://origin.test/seen.png' })]));
  expect(rows.map(({ viewportNeed }) => viewportNeed)).toEqual(['page', 'image']);
});

test('where an engine does not know when a request was sent, its phases are those of the page’s entry, or not known', () => {
  const unsent = makeRequest({ id: 'a.png', sentEpochMs: null });
  const kindsOf = (resources: ResourceEntry[]) => {
    const snapshot = withRequests([unsent]);
    const { rows } = buildWaterfall({ ...snapshot, frames: [{ ...snapshot.frames[0]!, resources }] });
    return rows[1]!.phases.map(({ kind, startMs, endMs }) => [kind, startMs, endMs]);
  };
  const timing = { startTime: 110, domainLookupStart: 112, domainLookupEnd: 112, connectStart: 112, connectEnd: 130 };
  const entry = { name: unsent.url, ...timing, requestStart: 130, responseStart: 180, responseEnd: 200 };
  expect(kindsOf([makeResource(entry)])).toEqual([
    ['blocked', 110, 112],
    ['connect', 112, 130],
    ['wait', 130, 180],
    ['receive', 180, 200],
  ]);
  expect(kindsOf([])).toEqual([
    ['undivided', 110, 180],
    ['receive', 180, 200],
  ]);
});

test('the path that is drawn is that of the latency which is looked at', () => {
  const split = splitLatencies(withRequests([makeRequest({ id: 'a.png' })]));
  expect(pathOf({ causes: split }, 'baseMs')).toBe(split.baseMs!.path);
  expect(pathOf({ causes: split })).toBe(split.totalMs!.path);
  expect(pathOf({ causes: { ...split, totalMs: null } })).toBe(split.viewportMs!.path);
});
