import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Har as StandardHar } from 'har-format';
import { describe, expect, it, test } from 'vitest';
import { buildHar } from '#controller/visits/build-har.ts';
import { formatInstant } from '#core/har/har-words.ts';
import { timePhases } from '#core/har/har.ts';
import { redactHeaders } from '#core/har/redact-headers.ts';
import type { Exchange, NetworkRequest } from '#core/metrics/network-request.ts';
import { SnapshotSchema } from '#core/metrics/snapshot.ts';
import { findHarFaults } from '#tests/support/har/find-har-faults.ts';
import {
  makeFrame,
  makeRequest,
  makeResource,
  makeSnapshot,
  startEpochMs,
} from '../../core/metrics/support/snapshot-parts.ts';

type Phases = Exchange['phases'];

const visit = {
  id: '5c7e0d9e-8b1f-4a55-9a3e-111111111111',
  description: 'Run 1, Block 2, Scenario "direct", User Agent "alice"',
  clockOffsetMs: 250,
};
const recorded = SnapshotSchema.parse(
  (
    JSON.parse(readFileSync(new URL('../../core/metrics/recorded/hard-cases.json', import.meta.url), 'utf8')) as {
      snapshot: unknown;
    }
  ).snapshot,
);

const url = 'http://origin.test/';
const build = (requests: NetworkRequest[]) => buildHar(makeSnapshot({ requests }), { visit, creatorVersion: '1.0' });
const at = (ms: number) => startEpochMs + ms;

describe('the HAR of a Visit', () => {
  const har = buildHar(recorded, { visit, creatorVersion: '1.0' });

  it('is as the schemas of HAR 1.2 and the types of its readers say', () => {
    const standard: StandardHar = har;
    expect(findHarFaults(standard)).toEqual([]);
    expect(findHarFaults({ log: { ...har.log, entries: [{ ...har.log.entries[0], time: 'long' }] } })).toEqual([
      '/log/entries/0/time must be number',
    ]);
  });

  it('has every request and every redirect, in the order of their starts', () => {
    expect(har.log.entries).toHaveLength(recorded.requests.length);
    const starts = har.log.entries.map(({ startedDateTime }) => startedDateTime);
    expect(starts).toEqual(starts.toSorted());
    const redirects = har.log.entries.filter(({ response }) => response.redirectURL !== '');
    expect(redirects.map(({ response }) => response.status)).toEqual(redirects.map(() => 302));
    expect(redirects.length).toBeGreaterThan(0);
  });

  it('has the latencies beside the load event, from the start of navigation, on the clock of the Controller', () => {
    const page = har.log.pages[0]!;
    expect(page.startedDateTime).toBe(
      formatInstant(recorded.frames.find(({ path }) => path.length === 0)!.timeOrigin + 250),
    );
    expect(page.pageTimings._totalMs).toBeGreaterThan(page.pageTimings._baseMs!);
    expect(page.pageTimings.onLoad).toBe(page.pageTimings._loadEventMs);
  });
});

test('hops of a redirect that begin at the same instant keep their order', () => {
  const hops = [1, 0].map((hop) => makeRequest({ url: `${url}${hop}`, id: '1', hop, startEpochMs: at(0) }));
  expect(build(hops).log.entries.map(({ request }) => request.url)).toEqual([`${url}0`, `${url}1`]);
});

test('a request that the engine reports all of has all of it in the HAR', () => {
  const headers = {
    request: [{ name: 'Accept', value: '*/*' }],
    response: [{ name: 'Content-Type', value: 'image/png' }],
  };
  const phases: Phases = {
    dns: [at(5), at(25)],
    connect: [at(25), at(65)],
    tls: [at(40), at(65)],
    send: [at(70), at(71)],
  };
  const request = makeRequest({
    url: 'https://origin.test/a.png?size=2&empty',
    protocol: 'h2',
    startEpochMs: at(0),
    sentEpochMs: at(70),
    responseEpochMs: at(100),
    endEpochMs: at(130),
    exchange: { method: 'GET', statusText: 'OK', mimeType: 'image/png', serverAddress: '10.0.0.1', phases, headers },
  });
  const har = build([request]);
  expect(findHarFaults(har)).toEqual([]);
  expect(har.log.entries[0]).toMatchObject({
    time: 130,
    timings: { blocked: 10, dns: 20, connect: 40, ssl: 25, send: 1, wait: 29, receive: 30 },
    serverIPAddress: '10.0.0.1',
    request: {
      method: 'GET',
      httpVersion: 'HTTP/2',
      headers: headers.request,
      queryString: [
        { name: 'size', value: '2' },
        { name: 'empty', value: '' },
      ],
    },
    response: { content: { mimeType: 'image/png' }, headers: headers.response },
  });
});

test('a request of an engine that reports little, one in flight and one that failed are reported as far as they are known', () => {
  const inFlight = makeRequest({
    url,
    id: '2',
    startEpochMs: at(0),
    sentEpochMs: null,
    responseEpochMs: null,
    endEpochMs: null,
    status: null,
    protocol: null,
  });
  const failed = makeRequest({
    url,
    id: '3',
    startEpochMs: at(0),
    sentEpochMs: null,
    responseEpochMs: null,
    endEpochMs: at(40),
    status: null,
    failure: 'net::ERR_CONNECTION_REFUSED',
  });
  const har = build([inFlight, failed]);
  expect(findHarFaults(har)).toEqual([]);
  expect(har.log.entries[0]).toMatchObject({
    request: { httpVersion: 'unknown', method: '' },
    response: { status: 0 },
    comment: expect.stringContaining('in flight') as string,
  });
  expect(har.log.entries[1]).toMatchObject({
    time: 40,
    timings: { blocked: 40, dns: -1, connect: -1, ssl: -1, wait: 0, receive: 0 },
    response: { status: 0, _error: 'net::ERR_CONNECTION_REFUSED' },
  });
});

describe('the sizes in a HAR', () => {
  const image = `${url}a.png`;
  const exchange = {
    method: 'GET',
    statusText: 'OK',
    mimeType: null,
    serverAddress: null,
    phases: { dns: null, connect: null, tls: null, send: null },
    headers: null,
  };
  const sizesOf = (change: Partial<NetworkRequest>) => {
    const har = build([makeRequest({ url: image, startEpochMs: at(0), exchange, ...change })]);
    expect(findHarFaults(har)).toEqual([]);
    const [{ request, response }] = har.log.entries as [(typeof har.log.entries)[number]];
    return [request.headersSize, request.bodySize, response.headersSize, response.bodySize];
  };

  it('are those of head and body, whose sum came over the connection', () => {
    expect(sizesOf({ receivedBytes: 1200, receivedBodyBytes: 1000, decodedBytes: 5000 })).toEqual([-1, 0, 200, 1000]);
    expect(sizesOf({ receivedBytes: 200, receivedBodyBytes: 0 })).toEqual([-1, 0, 200, 0]);
    expect(sizesOf({ receivedBytes: 200, receivedBodyBytes: 300 })).toEqual([-1, 0, 0, 200]);
    expect(sizesOf({ status: 304, receivedBytes: 200 })).toEqual([-1, 0, 200, 0]);
  });

  it('have the sum in one where the engine reports no other, and say so', () => {
    const request = makeRequest({ url: image, startEpochMs: at(0), receivedBytes: 1200 });
    expect(build([request]).log.entries[0]!.response).toMatchObject({
      headersSize: -1,
      bodySize: 1200,
      comment: 'bodySize includes the header.',
    });
  });

  it('are those that the page itself saw, where the engine reports none', () => {
    const seen = { encodedBodySize: 900, decodedBodySize: 2500, transferSize: 1200 };
    const entry = makeResource({ name: image, ...seen });
    const of = (receivedBytes: number | null, status = 200) =>
      buildHar(
        makeSnapshot({
          requests: [makeRequest({ url: image, status, receivedBytes, decodedBytes: null })],
          frames: [makeFrame({ resources: [entry] })],
        }),
        { visit, creatorVersion: '1.0' },
      ).log.entries[0]!.response;
    expect(of(null)).toMatchObject({ headersSize: -1, bodySize: 900, content: { size: 2500 } });
    expect(of(1000)).toMatchObject({ headersSize: 100, bodySize: 900, content: { size: 2500 } });
    // A 304 has no body: the page sees the one that the cache had.
    expect(of(200, 304)).toMatchObject({ headersSize: 200, bodySize: 0, content: { size: 2500 } });
    expect(of(null, 304)).toMatchObject({ headersSize: -1, bodySize: 0, content: { size: 2500 } });
  });

  it('are 0 of what the cache had and of what was never sent, and −1 of what is not known', () => {
    expect(sizesOf({ fromCache: true, receivedBytes: 0 }).slice(2)).toEqual([-1, 0]);
    const failed = { receivedBytes: null, failure: 'net::ERR_CONNECTION_REFUSED', status: null, responseEpochMs: null };
    expect(sizesOf({ ...failed, sentEpochMs: null }).slice(2)).toEqual([0, 0]);
    expect(sizesOf({ ...failed, sentEpochMs: at(1) }).slice(2)).toEqual([-1, -1]);
    expect(sizesOf({ receivedBytes: null, endEpochMs: null }).slice(2)).toEqual([-1, -1]);
  });

  it('of a request are what the engine reports, else what its headers or its method say', () => {
    expect(sizesOf({ exchange: { ...exchange, sentBytes: { head: 300, body: 7 } } }).slice(0, 2)).toEqual([300, 7]);
    const sent = { ...exchange, method: 'POST' };
    const headers = { request: [{ name: 'Content-Length', value: '12' }], response: [] };
    expect(sizesOf({ exchange: { ...sent, headers } }).slice(0, 2)).toEqual([-1, 12]);
    expect(sizesOf({ exchange: sent }).slice(0, 2)).toEqual([-1, -1]);
    const ofExtension = build([makeRequest({ url: image, startEpochMs: at(0) })]).log.entries[0]!;
    expect(ofExtension.request).toMatchObject({ headersSize: -1, bodySize: -1 });
  });
});

test('the phases of any request are never negative and sum to its time, with any report of its engine', () => {
  const instant = fc.double({ min: -1000, max: 10_000, noNaN: true }).map(at);
  const phase = fc.option(fc.tuple(instant, instant));
  const reported = fc.record({
    sentEpochMs: fc.option(instant),
    responseEpochMs: fc.option(instant),
    endEpochMs: fc.option(instant),
    phases: fc.record({ dns: phase, connect: phase, tls: phase, send: phase }),
  });
  fc.assert(
    fc.property(reported, ({ phases, ...times }) => {
      const exchange = { method: 'GET', statusText: null, mimeType: null, serverAddress: null, phases, headers: null };
      const request = makeRequest({ url, ...times, startEpochMs, exchange });
      const { ssl, ...rest } = timePhases(request, at(20_000));
      const sum = Object.values(rest).reduce((total, ms) => total + Math.max(ms, 0), 0);
      expect(sum).toBeCloseTo(Math.max(0, (times.endEpochMs ?? at(20_000)) - startEpochMs), 2);
      expect(Object.values(rest).every((ms) => ms === -1 || ms >= -1e-3)).toBe(true);
      expect(ssl).toBeLessThanOrEqual(rest.connect + 1e-3);
    }),
  );
});

test('values of headers that let their reader act as the user are left out, in any spelling', () => {
  const secret = [
    'Cookie',
    'set-cookie',
    'Authorization',
    'PROXY-AUTHORIZATION',
    'X-Api-Key',
    'x-csrf-token',
    'X-Amz-Security-Token',
    'X-Session-Id',
    'Cf-Access-Jwt-Assertion',
    'x-auth-key',
    'X-Auth-Email',
    'X-Amz-Access-Key',
    'x-goog-iap-jwt-assertion',
    'X-Hub-Signature-256',
    'x-forwarded-client-cert',
    'X-Authorization',
    'X-Forwarded-Authorization',
    'Authentication',
    'X-Auth',
    'api_key',
    'Ocp-Apim-Subscription-Key',
    'x-functions-key',
    'X-Master-Key',
  ];
  const plain = ['Accept', 'Content-Type', 'Cache-Control', 'Date', 'X-Cache', 'X-Author', 'Keep-Alive'];
  plain.push('WWW-Authenticate', 'Surrogate-Key', 'Sec-WebSocket-Key', 'Permissions-Policy');
  const found = redactHeaders([...secret, ...plain].map((name) => ({ name, value: 'hidden?' })));
  expect(found.filter(({ value }) => value === 'hidden?').map(({ name }) => name)).toEqual(plain);
  const redactedValue = (value: string) => redactHeaders([{ name: 'location', value }])[0]!.value;
  expect(redactedValue('https://a.test/cb?code=4/0A&state=x&id_token=e?y.J#access_token=abc&n=1')).toBe(
    'https://a.test/cb?code=[redacted]&state=x&id_token=[redacted]#access_token=[redacted]&n=1',
  );
  expect(redactedValue('https://ada:lovelace@a.test/?%74oken=1&X-Amz-Signature=f00')).toBe(
    'https://[redacted]@a.test/?%74oken=[redacted]&X-Amz-Signature=[redacted]',
  );
  expect(redactedValue('0; url=https://a.test/?api_key=1;sid=2&keyboard=3')).toBe(
    '0; url=https://a.test/?api_key=[redacted];sid=[redacted]&keyboard=3',
  );
  expect(
    redactedValue('https://ada:love@lace@a.test/?subscription-key=1&Master_Key=2&authorization-x=3&monkey=4'),
  ).toBe(
    'https://[redacted]@a.test/?subscription-key=[redacted]&Master_Key=[redacted]&authorization-x=[redacted]&monkey=4',
  );
  expect(redactedValue('text/html;q=0.9, a/b?c=d#e')).toBe('text/html;q=0.9, a/b?c=d#e');
  expect(redactHeaders([{ name: 'Accept', value: 'x'.repeat(100_000) }])[0]!.value).toHaveLength(8192);
});

test('an instant keeps its microseconds', () => {
  expect(formatInstant(1_800_000_000_000.25)).toBe('2027-01-15T08:00:00.000250Z');
});
