import { expect, test } from 'vitest';
import { readHar, type HarRequest } from '#core/har/read-har.ts';

const start = '2026-11-28T10:00:00.000Z';
const startEpochMs = Date.parse(start);
const entry = (change: object = {}) => ({
  startedDateTime: start,
  time: 100,
  request: { method: 'GET', url: 'https://origin.test/', cookies: [{ name: 'a', value: 'SECRET' }] },
  response: { status: 200, httpVersion: 'h2', headersSize: -1, bodySize: 500, content: { size: 900 } },
  timings: { blocked: 1, dns: -1, connect: -1, send: 1, wait: 90, receive: 8, ssl: -1 },
  cache: {},
  ...change,
});
const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const make = (log: object) => encode({ log: { version: '1.2', creator: { name: 'Test', version: '1' }, ...log } });
const read = (log: object) => readHar(make(log), 'a.har');
const readEntry = (change: object): HarRequest => read({ entries: [entry(change)] }).pages[0]!.requests[0]!;

test('entries are at the page that they name, else at the last page that began before them, or together', () => {
  const pages = [
    { id: 'second', startedDateTime: '2026-11-28T11:00:10.000+0100', title: 'Second', pageTimings: { onLoad: -1 } },
    { id: 'first', startedDateTime: start, title: '', pageTimings: { onContentLoad: 300, onLoad: 400 } },
  ];
  const at = (second: string, pageref?: string) =>
    entry({ startedDateTime: `2026-11-28T10:00:${second}Z`, ...(pageref && { pageref }) });
  const { pages: loads, creator } = read({
    pages,
    entries: [at('12'), at('01.250001', 'second'), at('03', 'nowhere'), at('00.000')],
  });
  expect(creator).toBe('Test 1');
  expect(loads.map(({ title, requests }) => [title, requests.length])).toEqual([
    ['https://origin.test/', 2],
    ['Second', 2],
  ]);
  expect(loads[0]!.moments).toEqual({ loadEventMs: 400 });
  // A request that began before its page is the beginning.
  expect(loads[1]!.startEpochMs - startEpochMs).toBeCloseTo(1250.001, 3);
  expect(loads[1]!.moments).toEqual({});
  expect(read({ entries: [at('05'), at('04')] }).pages).toMatchObject([{ startEpochMs: startEpochMs + 4000 }]);
});

test.for([
  { of: 'Chrome: TLS is part of connect', timings: { connect: 60, ssl: 40 }, time: 160, connect: 60 },
  { of: 'beside connect', timings: { connect: 20, ssl: 40 }, time: 160, connect: 60 },
  { of: 'beside a shorter connect, without a time', timings: { connect: 20, ssl: 40 }, time: null, connect: 60 },
  { of: 'beside a longer connect', timings: { connect: 50, ssl: 40 }, time: 190, connect: 90 },
  { of: 'without TLS', timings: { connect: 60, ssl: -1 }, time: 160, connect: 60 },
  { of: 'a connection that was open', timings: { connect: -1 }, time: 100, connect: -1 },
])('the phases of $of', ({ timings, time, connect }) => {
  const phases = { blocked: 1, dns: 0, send: 1, wait: 90, receive: 8, ...timings };
  expect(readEntry({ timings: phases, time }).timings).toEqual({ ...phases, ssl: timings.ssl ?? -1, connect });
});

test.for([
  { of: 'with TLS', timings: { connect: 60, ssl: 40 }, time: 198, phases: { connect: 60, ssl: 40 }, timeMs: 158 },
  { of: 'without TLS', timings: { connect: 60, ssl: 63 }, time: 221, phases: { connect: 60, ssl: -1 }, timeMs: 158 },
  { of: 'of an open connection', timings: { connect: -1 }, time: 98, phases: { connect: -1, ssl: -1 }, timeMs: 98 },
])('Playwright counts TLS twice: a request $of', ({ timings, time, phases, timeMs }) => {
  const entries = [entry({ timings: { send: 0, wait: 90, receive: 8, ...timings }, time })];
  const { pages } = read({ creator: { name: 'Playwright', version: '1.65.1' }, entries });
  expect(pages[0]!.requests[0]).toMatchObject({ timings: phases, timeMs });
});

test('what browsers and tools add is read: Chrome, Firefox, WebPageTest and browsertime', () => {
  const response = { status: 304, httpVersion: 'http/2.0', content: { size: 10, mimeType: 'text/css' } };
  expect(
    readEntry({
      response: { ...response, _transferSize: 321, _error: 'net::ERR_ABORTED' },
      _resourceType: 'xhr',
      _initiator: { type: 'script', url: 'https://origin.test/a.js?token=SECRET' },
      serverIPAddress: '[2001:db8::1]',
      connection: '443',
    }),
  ).toMatchObject({
    type: 'fetch',
    status: 304,
    protocol: 'h2',
    receivedBytes: 321,
    decodedBytes: 10,
    failure: 'net::ERR_ABORTED',
    initiatorUrl: 'https://origin.test/a.js?token=[redacted]',
    serverAddress: '2001:db8::1',
    connectionId: '443',
    fromCache: false,
  });
  // Firefox: no phases of what came from its cache, and a status of 0 where none came.
  expect(readEntry({ timings: {}, response: { status: 0, httpVersion: '' }, connection: '' })).toMatchObject({
    status: null,
    protocol: null,
    connectionId: null,
    timeMs: 100,
    timings: { blocked: -1, wait: -1 },
    receivedBytes: null,
  });
  expect(readEntry({ _fromCache: 'disk', response })).toMatchObject({ fromCache: true, type: 'style-sheet' });
  expect(readEntry({ cache: { beforeRequest: { lastAccess: '' } }, response: null })).toMatchObject({
    fromCache: true,
    status: null,
    type: 'other',
  });
  expect(readEntry({ cache: { beforeRequest: { lastAccess: '' } }, response })).toMatchObject({ fromCache: false });
  const page = { id: 'a', startedDateTime: start, pageTimings: { onLoad: 7, _firstContentfulPaint: 5, _totalMs: 9 } };
  expect(read({ pages: [page], entries: [entry()] }).pages[0]!.moments).toEqual({
    loadEventMs: 7,
    firstContentfulPaintMs: 5,
    totalMs: 9,
  });
});

test('nothing secret is read, and nothing that did not come over the network', () => {
  const request = {
    url: 'https://user:SECRET@origin.test/?key=SECRET&a=b',
    headers: [{ name: 'Authorization', value: 'SECRET' }],
    queryString: [{ name: 'key', value: 'SECRET' }],
    postData: { text: 'SECRET' },
  };
  const har = read({
    entries: [
      entry({ request, response: { status: 200, redirectURL: '/?key=SECRET', content: { text: 'SECRET' } } }),
      ...['data:image/png;base64,AA', 'blob:https://origin.test/1', 'chrome-extension://a/b', 'about:blank'].map(
        (url) => entry({ request: { url } }),
      ),
    ],
  });
  expect(JSON.stringify(har)).not.toContain('SECRET');
  expect(har.pages).toMatchObject([{ leftOut: 4, requests: [{ url: expect.stringContaining('a=b') as string }] }]);
});

test.for([
  { bytes: encode({}), problem: 'a.har is no HAR: log: is missing: it must be a mapping of keys to values' },
  { bytes: make({ entries: [] }), problem: 'a.har has no requests' },
  {
    bytes: make({ entries: [entry(), entry({ startedDateTime: 'now', time: 'long' })] }),
    problem: 'a.har is no HAR: log.entries[1].startedDateTime: must be a time after 1970 with its zone',
  },
  {
    bytes: make({ entries: [entry({ timings: { wait: 1e300 } })] }),
    problem: 'a.har is no HAR: log.entries[0].timings.wait: Too big',
  },
  { bytes: encode([]).subarray(0, 1), problem: 'a.har is no JSON: ' },
  { bytes: Uint8Array.from(Buffer.from('{"log":"é"}', 'latin1')), problem: 'the byte E9 at offset 8 is not UTF-8' },
  { bytes: Uint8Array.from(Buffer.from('\uFEFF{}', 'utf16le')), problem: 'a.har is UTF-16' },
  {
    bytes: new TextEncoder().encode('['.repeat(200)),
    problem: 'a.har has more than 100 objects and lists within each',
  },
  { bytes: make({ entries: Array.from({ length: 50_001 }, () => 0) }), problem: 'a.har is no HAR: log.entries' },
])('a file that is no HAR is refused in a sentence: $problem', ({ bytes, problem }) => {
  expect(() => readHar(bytes, 'a.har')).toThrow(problem);
});
