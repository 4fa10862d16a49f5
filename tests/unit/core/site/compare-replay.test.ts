import { expect, test } from 'vitest';
import { replayMissType } from '#core/metrics/replay-misses.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';
import { compareReplay } from '#core/site/compare-replay.ts';
import { makeRequest, makeSnapshot } from '../metrics/support/snapshot-parts.ts';
import { makeSite } from './support/make-site.ts';

const body = (bytes: number) => ({ offset: 0, length: bytes, bytes, sha256: '0'.repeat(64) });
const urls = ['https://a.test/', 'https://a.test/one.js?_=1', 'https://b.test/two.png', 'https://b.test/three.png'];
const site = makeSite(
  urls.map((url, number) => ({ url, startMs: 10 * number, connection: number, body: body(1000) })),
  {
    pages: [
      {
        number: 1,
        url: urls[0]!,
        title: '',
        visits: [
          {
            ...{ startEpochMs: 1, engine: 'Chrome', baseMs: 100, viewportMs: null, totalMs: 300 },
            webSockets: ['wss://a.test/chat'],
          },
        ],
      },
    ],
  },
);

/** What the requests of a replayed page are, compared with the recording; each of 1000 bytes on a connection of its own. */
function compare(requests: (Partial<NetworkRequest> & { url: string })[]) {
  const whole = requests.map((request, index) =>
    makeRequest({ startMs: index, connectionId: String(index), receivedBodyBytes: 1000, ...request }),
  );
  return compareReplay(makeSnapshot({ requests: whole }), { site, page: 1, visit: 1 });
}

test('a replay that asks for what was recorded, in its order, has the score 1', () => {
  expect(compare(urls.map((url) => ({ url })))).toMatchObject({
    objects: { recorded: 4, replayed: 4 },
    bytes: { recorded: 4000, replayed: 4000 },
    hosts: { recorded: 2, replayed: 2 },
    connections: { recorded: 4, replayed: 4 },
    orderRatio: 1,
    inexact: [],
    misses: [],
    unknownHosts: [],
    missing: [],
    webSockets: ['wss://a.test/chat'],
    score: 1,
  });
});

test('lists what was matched inexactly, what was not recorded, and what the page did not ask for', () => {
  const comparison = compare([
    { url: urls[0]! },
    { url: 'https://a.test/one.js?_=2' },
    { url: 'https://a.test/new.js', status: 404, isReplayMiss: true },
    { url: 'https://c.test/new.js', status: null, failure: 'net::ERR_NAME_NOT_RESOLVED' },
    { url: urls[3]! },
    { url: urls[2]!, fromCache: true },
    { url: 'data:,' },
  ]);
  expect(comparison).toMatchObject({
    objects: { recorded: 4, replayed: 3 },
    inexact: ['https://a.test/one.js?_=2'],
    misses: ['https://a.test/new.js'],
    unknownHosts: ['https://c.test/new.js'],
    missing: [urls[2]],
    orderRatio: 1,
  });
  // Three of six objects; 5000 bytes for 4000, three hosts for two, five connections for four; the same order.
  expect(comparison.score).toBeCloseTo((3 / 6 + 4 / 5 + 2 / 3 + 4 / 5 + 1) / 5);
});

test('a recorded address at a host that no testbed can have was asked for in vain', () => {
  const away = ['http://192.0.2.7/a.png', 'https://a.test:8443/b.png', 'https://intranet/c.png'];
  const elsewhere = 'https://other-page.test/d.png';
  const local = makeSite([
    ...[urls[0]!, ...away].map((url) => ({ url })),
    // A host of a page that may not be loaded.
    { url: elsewhere, page: 1, visit: 2 },
  ]);
  const requests = [urls[0]!, ...away, elsewhere].map((url, index) =>
    makeRequest({ url, startMs: index, ...(index > 0 && { status: null, failure: 'net::ERR_CONNECTION_REFUSED' }) }),
  );
  const comparison = compareReplay(makeSnapshot({ requests }), { site: local, page: 1, visit: 1 });
  expect(comparison).toMatchObject({
    objects: { recorded: 4, replayed: 1 },
    unknownHosts: [...away, elsewhere],
    missing: [],
    misses: [],
  });
  // One of five objects, bytes for none, four hosts for three.
  expect(comparison.score).toBeCloseTo((1 / 5 + 0 + 3 / 4) / 3);
});

test.each([' (mixed-content)', ' (csp)'])('what the browser forbade asked no host: %s', (failure) => {
  const forbidden = {
    url: 'http://192.0.2.7/new.svg',
    status: null,
    failure,
    receivedBodyBytes: undefined,
    receivedBytes: null,
  };
  expect(compare([...urls.map((url) => ({ url })), { ...forbidden, connectionId: null }])).toMatchObject({
    hosts: { recorded: 2, replayed: 2 },
    unknownHosts: [],
    score: 1,
  });
});

test('an object that came before others that were recorded before it costs its share of the order', () => {
  expect(compare([0, 3, 1, 2].map((place) => ({ url: urls[place]! }))).orderRatio).toBe(3 / 4);
});

test('a recorded error is no miss, nor what had no answer yet; what the replay marks as one is', () => {
  expect(compare([{ url: urls[0]!, status: 404 }]).misses).toEqual([]);
  expect(compare([{ url: 'https://a.test/favicon.ico', status: null }])).toMatchObject({ misses: [] });
  expect(compare([{ url: urls[1]!, status: 404, isReplayMiss: true }]).misses).toEqual([urls[1]]);
  expect(replayMissType).toMatch(/^text\//);
});

test('what the engine or the recording does not know is no part of the score', () => {
  const comparison = compare([
    { url: urls[0]!, connectionId: null, receivedBytes: null, receivedBodyBytes: undefined },
  ]);
  expect(comparison).toMatchObject({ bytes: { replayed: null }, connections: { replayed: null }, orderRatio: null });
  expect(comparison.score).toBeCloseTo((1 / 4 + 1 / 2) / 2);
});

test('the latencies are beside those of the recording', () => {
  const { latencies } = compare([{ url: urls[0]!, type: 'document', isMainDocument: true }]);
  expect(latencies.baseMs).toMatchObject({ recordedMs: 100 });
  expect(latencies.viewportMs.recordedMs).toBeNull();
});
