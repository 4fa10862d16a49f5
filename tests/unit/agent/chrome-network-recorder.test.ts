import { EventEmitter } from 'node:events';
import type { CDPSession } from 'puppeteer-core';
import { beforeEach, expect, test } from 'vitest';
import { NetworkRecorder } from '#agent/engines/chrome/chrome-recorder.ts';

/** As Chrome reports a page: its clock began 1,000 s before the first request. */
const startEpochMs = 1_800_000_000_000;
const at = (ms: number) => ({ timestamp: 1000 + ms / 1000, wallTime: (startEpochMs + ms) / 1000 });
const url = 'http://origin.test/';

let session: EventEmitter & { id: () => string };
let recorder: NetworkRecorder;
function open(options: { recordsHeaders?: boolean } = {}): void {
  session = Object.assign(new EventEmitter(), { id: () => 'page' });
  recorder = new NetworkRecorder('main', { ...options, usedConnections: new Set() });
  recorder.observe(session as unknown as CDPSession);
}
beforeEach(() => open());

const emit = (event: string, params: object) => session.emit(`Network.${event}`, params);
const response = (change: object = {}) => ({
  status: 200,
  statusText: 'OK',
  mimeType: 'text/html',
  headers: {},
  protocol: 'h2',
  connectionId: 7,
  encodedDataLength: 100,
  ...change,
});
interface Begun {
  url?: string;
  type?: string;
  isLinkPreload?: true;
  redirectResponse?: object;
}
function begin(id: string, ms: number, change: Begun = {}): void {
  const { url: address = url, type = 'Document', isLinkPreload, redirectResponse } = change;
  emit('requestWillBeSent', {
    requestId: id,
    loaderId: 'document',
    frameId: 'main',
    type,
    initiator: { type: 'other' },
    request: { url: address, method: 'GET', headers: { Accept: '*/*' }, isLinkPreload },
    redirectHasExtraInfo: true,
    ...at(ms),
    ...(redirectResponse && { redirectResponse }),
  });
}
const answer = (id: string, change: object = {}) =>
  emit('responseReceived', { requestId: id, response: response(change), hasExtraInfo: true, ...at(0) });
const data = (id: string, ms: number, bytes: number) =>
  emit('dataReceived', { requestId: id, dataLength: bytes, encodedDataLength: bytes / 2, ...at(ms) });
const finish = (id: string, ms: number, bytes: number) =>
  emit('loadingFinished', { requestId: id, encodedDataLength: bytes, ...at(ms) });

test('a request has its times on the wall clock, its bytes and its answer', () => {
  expect(recorder.clockOffsetMs).toBeNull();
  begin('1', 0);
  answer('1', {
    timing: { requestTime: 1000, sendStart: 2, sendEnd: 3, receiveHeadersEnd: 50, dnsStart: -1, dnsEnd: -1 },
  });
  data('1', 60, 4000);
  expect(recorder.findUnended(url)).toEqual(['1']);
  finish('1', 90, 2100);
  expect(recorder.findUnended(url)).toEqual([]);
  expect(recorder.clockOffsetMs).toBeCloseTo(startEpochMs - 1_000_000, 3);
  expect(recorder.requests).toMatchObject([
    {
      url,
      hop: 0,
      isMainDocument: true,
      status: 200,
      protocol: 'h2',
      fromCache: false,
      receivedBytes: 2100,
      decodedBytes: 4000,
      failure: null,
      isConnectionReused: false,
    },
  ]);
  const [{ startEpochMs: start, sentEpochMs, responseEpochMs, endEpochMs }] = recorder.requests as [
    (typeof recorder.requests)[number],
  ];
  expect([start, sentEpochMs, responseEpochMs, endEpochMs].map((ms) => Math.round(ms! - startEpochMs))).toEqual([
    0, 2, 50, 90,
  ]);
});

test('each hop of a redirect is a request of its own, with its answer and its end', () => {
  begin('1', 0);
  const moved = response({ status: 301, headers: { Location: '/b' }, encodedDataLength: 150 });
  begin('1', 30, { url: `${url}b`, redirectResponse: moved });
  begin('1', 31, { url: `${url}b` }); // by the frame's own process again
  answer('1', { connectionId: 7 });
  finish('1', 80, 900);
  expect(
    recorder.requests.map(({ url: address, hop, status, receivedBytes, isConnectionReused, endEpochMs }) => ({
      address,
      hop,
      status,
      receivedBytes,
      isConnectionReused,
      endMs: Math.round(endEpochMs! - startEpochMs),
    })),
  ).toEqual([
    { address: url, hop: 0, status: 301, receivedBytes: 150, isConnectionReused: false, endMs: 30 },
    { address: `${url}b`, hop: 1, status: 200, receivedBytes: 900, isConnectionReused: true, endMs: 80 },
  ]);
});

test('where Chrome itself redirects to TLS, as a host had asked for, nothing was sent', () => {
  const timing = { requestTime: 1000, sendStart: 1, sendEnd: 1, receiveHeadersEnd: 1, dnsStart: -1, dnsEnd: -1 };
  begin('1', 0);
  const own = response({ status: 307, headers: { 'Non-Authoritative-Reason': 'HSTS' }, timing });
  begin('1', 2, { url: url.replace('http:', 'https:'), redirectResponse: own });
  answer('1', { timing: { ...timing, requestTime: 1000.002, sendStart: 90, sendEnd: 91 } });
  const sent = recorder.requests.map(({ sentEpochMs }) => sentEpochMs && Math.round(sentEpochMs - startEpochMs));
  expect(sent).toEqual([null, 92]);
});

test('what is not of the web, or was never asked for, is not recorded', () => {
  begin('1', 0, { url: 'data:text/html,x' });
  answer('2');
  data('2', 1, 10);
  finish('2', 2, 10);
  expect(recorder.requests).toEqual([]);
});

test('what nothing of the page names is its icon, unless a header has it preloaded: then the page waits for it', () => {
  begin('1', 0, { type: 'Other', url: `${url}favicon.ico` });
  begin('2', 1, { type: 'Other', url: `${url}data.json`, isLinkPreload: true });
  expect(recorder.requests.map(({ type }) => type)).toEqual(['icon', 'other']);
  expect(recorder.awaited.map(({ id }) => id)).toEqual(['2']);
});

test.for([
  [301, 'net::ERR_FAILED', undefined, 301],
  [399, 'net::ERR_FAILED', undefined, 399],
  [302, 'net::ERR_BLOCKED_BY_CLIENT', 'csp', 302],
  [302, 'net::ERR_CONNECTION_RESET', undefined, null],
  [300, 'net::ERR_FAILED', undefined, 300],
] as const)(
  'of a redirect (%i) that the page does not follow, failed by %s (%s), the status is %s',
  ([statusCode, errorText, blockedReason, status]) => {
    begin('1', 0, { type: 'Image' });
    emit('responseReceivedExtraInfo', { requestId: '1', statusCode, headers: {} });
    expect(recorder.requests[0]!.status).toBeNull();
    emit('loadingFailed', { requestId: '1', errorText, blockedReason, ...at(40) });
    expect(recorder.requests).toMatchObject([
      { status, failure: blockedReason ? `${errorText} (${blockedReason})` : errorText },
    ]);
  },
);

test('the answer that a browser withholds from its page has a status, an interim one is none', () => {
  begin('1', 0, { type: 'Fetch' });
  emit('responseReceivedExtraInfo', { requestId: '1', statusCode: 103, headers: {} });
  expect(recorder.requests[0]!.status).toBeNull();
  emit('responseReceivedExtraInfo', { requestId: '1', statusCode: 403, headers: {} });
  expect(recorder.requests[0]!.status).toBe(403);
  emit('loadingFailed', { requestId: '1', errorText: 'net::ERR_FAILED', corsErrorStatus: {}, ...at(9) });
  expect(recorder.requests).toMatchObject([{ status: 403, failure: 'net::ERR_FAILED (cors)' }]);
});

test.for([
  // To the address of another program, and while the next hop was under way.
  [[302], 302],
  [[302, 302], 302],
  [[302], null, 'and the next hop has no answer'],
] as const)('a navigation that gives up after the statuses %j has the status %s', ([statuses, status, isOnWay]) => {
  begin('1', 0);
  for (const [index, statusCode] of statuses.entries()) {
    emit('responseReceivedExtraInfo', { requestId: '1', statusCode, headers: {} });
    if (index < statuses.length - 1 || isOnWay) begin('1', 10, { redirectResponse: response({ status: statusCode }) });
  }
  emit('loadingFailed', { requestId: '1', errorText: 'net::ERR_ABORTED', ...at(40) });
  expect(recorder.requests.at(-1)).toMatchObject({ status });
});

test('a status of 304 is that of a page which no cache has, and becomes 200 of one that it has', () => {
  begin('1', 0);
  emit('responseReceivedExtraInfo', { requestId: '1', statusCode: 304, headers: {} });
  expect(recorder.requests[0]!.status).toBe(304);
  answer('1');
  expect(recorder.requests[0]!.status).toBe(200);
});

test('what the cache answers is said so before its answer comes', () => {
  begin('1', 0, { type: 'Image' });
  emit('requestServedFromCache', { requestId: '1' });
  answer('1', { connectionId: 0 });
  expect(recorder.requests).toMatchObject([{ fromCache: true, connectionId: null }]);
});

test('headers are those of the network, and what the browser would have sent for what its cache answered', () => {
  open({ recordsHeaders: true });
  const [sent, received] = [{ accept: 'a', cookie: 'secret' }, { 'x-many': 'one\ntwo' }];
  begin('1', 0);
  emit('requestWillBeSentExtraInfo', { requestId: '1', headers: sent });
  emit('responseReceivedExtraInfo', { requestId: '1', statusCode: 200, headers: received });
  answer('1');
  begin('2', 5, { type: 'Image' });
  emit('responseReceived', { requestId: '2', response: response({ headers: { age: '3' } }), hasExtraInfo: false });
  const headersOf = (index: number) => recorder.requests[index]!.exchange!.headers!;
  expect(headersOf(0).response).toEqual([
    { name: 'x-many', value: 'one' },
    { name: 'x-many', value: 'two' },
  ]);
  expect(headersOf(0).request.map(({ name }) => name)).toEqual(['accept', 'cookie']);
  expect(JSON.stringify(headersOf(0).request)).not.toContain('secret');
  expect(headersOf(1)).toEqual({
    request: [{ name: 'Accept', value: '*/*' }],
    response: [{ name: 'age', value: '3' }],
  });
});

test('an early hint names what is fetched ahead, of which there may be a hundred', () => {
  const hint = (requestId: string, link: string) =>
    emit('responseReceivedEarlyHints', { requestId, headers: { Link: link } });
  begin('1', 0);
  begin('2', 1, { type: 'Image' });
  hint(
    '1',
    '</a.css>; rel=preload; as=style, </m.js>; rel="modulepreload", </other>; rel=preconnect, <//[>; rel=preload',
  );
  hint('2', '</of-an-image>; rel=preload');
  expect(recorder.hints.urls).toEqual([`${url}a.css`, `${url}m.js`]);
  hint('1', Array.from({ length: 120 }, (_, index) => `</${index}>; rel=preload`).join(', '));
  expect(recorder.hints.urls).toHaveLength(100);
  recorder.forget();
  expect([recorder.hints.urls, recorder.requests]).toEqual([[], []]);
});

test('a base page that is too large ends the Visit by its length, or by its bytes; another object does not', () => {
  const tooLarge = 1e12;
  begin('1', 0, { type: 'Image', url: `${url}image` });
  answer('1', { headers: { 'Content-Length': String(tooLarge) } });
  expect(recorder.excess.aborted).toBe(false);
  for (const exceed of [
    () => answer('2', { headers: { 'content-length': String(tooLarge) } }),
    () => data('2', 5, tooLarge),
  ]) {
    open();
    begin('2', 0);
    expect(recorder.excess.aborted).toBe(false);
    exceed();
    expect(recorder.excess.reason).toMatchObject({ code: 'too-large' });
  }
});
