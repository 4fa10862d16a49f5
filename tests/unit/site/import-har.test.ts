import { expect, test } from 'vitest';
import { readSiteOfHar } from '#site/import-har.ts';

const startMs = Date.parse('2026-11-28T10:00:00.000Z');
const at = (ms: number) => new Date(startMs + ms).toISOString();

interface Change {
  url?: string;
  request?: object;
  response?: object;
  [key: string]: unknown;
}

function entry({ url = 'https://shop.test/', request = {}, response = {}, ...change }: Change = {}) {
  return {
    startedDateTime: at(0),
    time: 100,
    request: { method: 'GET', url, headers: [], ...request },
    response: { status: 200, httpVersion: 'h2', headers: [], content: { size: 5, text: 'Hello' }, ...response },
    timings: { blocked: 1, dns: 10, connect: 60, ssl: 40, send: 0, wait: 25, receive: 4 },
    ...change,
  };
}

const read = (entries: object[], pages?: object[]) =>
  readSiteOfHar(
    Buffer.from(JSON.stringify({ log: { creator: { name: 'Test', version: '1' }, pages, entries } })),
    'a.har',
  );
const readOne = (change: Change) => read([entry(change)]).recorded;

test.for<[unknown, string | null]>([
  [{ type: 'script', url: 'https://shop.test/a.js' }, 'https://shop.test/a.js'],
  ['https://shop.test/a.js', 'https://shop.test/a.js'],
  ['https://shop.test/a.js#part', 'https://shop.test/a.js'],
  ['https://SHOP.test', 'https://shop.test/'],
  [{ type: 'other' }, null],
  ['parser', null],
  ['data:text/html,x', null],
  [{ url: 'chrome-extension://abc/a.js' }, null],
  [{ url: 'http://' }, null],
  [{ url: 7 }, null],
  [null, null],
  [undefined, null],
])('the initiator %o of a HAR is %s', ([initiator, url]) => {
  expect(readOne({ _initiator: initiator }).exchanges[0]!.initiatorUrl).toBe(url);
});

test.for<[unknown, string | null]>([
  ['192.0.2.7', '192.0.2.7'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['proxy.test', null],
  ['192.0.2.7:443', null],
  ['', null],
  [undefined, null],
])('the address %o of a host in a HAR is %s', ([serverIPAddress, address]) => {
  expect(readOne({ serverIPAddress }).hosts).toMatchObject([{ name: 'shop.test', address }]);
});

test('a host has the least of its round trips, the first of its addresses, and all its protocols, the newest first', () => {
  const connect = (ms: number) => ({ blocked: 0, dns: 0, connect: ms, ssl: -1, send: 0, wait: 5, receive: 1 });
  const { hosts } = read([
    entry({ url: 'http://a.test/', timings: connect(30), response: { httpVersion: 'http/1.1' } }),
    entry({
      url: 'http://a.test/b',
      timings: connect(20),
      serverIPAddress: '192.0.2.2',
      response: { httpVersion: 'h3' },
    }),
    entry({
      url: 'http://a.test/c',
      timings: connect(-1),
      serverIPAddress: '192.0.2.3',
      response: { httpVersion: 'h2' },
    }),
    entry({ url: 'https://b.test/', timings: connect(-1) }),
  ]).recorded;
  expect(hosts).toMatchObject([
    { name: 'a.test', connectMs: 20, address: '192.0.2.2', certificateNames: [], protocols: ['h3', 'h2', 'http/1.1'] },
    { name: 'b.test', connectMs: null, address: null, certificateNames: ['b.test'], protocols: ['h2'] },
  ]);
});

const timings = { blocked: 1, dns: 10, connect: 60, ssl: 40, send: 0, wait: 25, receive: 4 };
test.for<[string, object, object]>([
  ['of a new connection', {}, { startMs: 71, connectMs: 20, tlsMs: 40, thinkMs: 5, receiveMs: 4 }],
  ['without TLS', { ssl: -1 }, { startMs: 71, connectMs: 60, tlsMs: null, thinkMs: 0 }],
  [
    'of a connection that was there',
    { dns: -1, connect: -1, ssl: -1 },
    { startMs: 1, connectMs: null, tlsMs: null, thinkMs: 25 },
  ],
  ['that opened one in no time', { dns: 0, connect: 0, ssl: -1 }, { startMs: 1, connectMs: null, tlsMs: null }],
  ['without an answer’s times', { wait: -1, receive: -1 }, { thinkMs: null, receiveMs: null }],
  ['of years', { receive: 9e8 }, { receiveMs: 3_600_000 }],
])('times of a request %s become those of the server', ([, change, expected]) => {
  expect(readOne({ timings: { ...timings, ...change } }).exchanges).toMatchObject([expected]);
});

test('HTTP/3 opens its connection by TLS, in one round trip; TCP that was there before the first request shows none', () => {
  const opened = (connect: number, ssl: number) => ({ ...timings, connect, ssl, wait: 65 });
  const { hosts, exchanges } = read([
    entry({ timings: opened(40, 40), response: { httpVersion: 'h3' } }),
    entry({ url: 'https://tcp.test/', timings: opened(40, 40) }),
    entry({ url: 'https://tcp.test/b', timings: opened(70, 40) }),
  ]).recorded;
  expect(hosts).toMatchObject([
    { name: 'shop.test', connectMs: 40 },
    { name: 'tcp.test', connectMs: 30 },
  ]);
  expect(exchanges).toMatchObject([
    { connectMs: 40, tlsMs: null, thinkMs: 25 },
    { connectMs: 0, tlsMs: 40, thinkMs: 35 },
    { connectMs: 30, tlsMs: 40, thinkMs: 35 },
  ]);
});

test.for([
  { _fromCache: 'disk' },
  { _servedFromCache: true },
  { _fetchType: 'Disk Cache' },
  { cache: { beforeRequest: {} } },
])('what came from a cache, by %o, has no times of a server', (change) => {
  const { hosts, exchanges } = readOne(change);
  expect(hosts).toMatchObject([{ connectMs: null }]);
  expect(exchanges).toMatchObject([{ startMs: 71, connectMs: null, tlsMs: null, thinkMs: null, receiveMs: null }]);
});

test('WebSockets are listed at their visit, and are no requests', () => {
  const pages = ['one', 'two'].map((id, index) => ({ id, startedDateTime: at(1000 * index), title: '' }));
  const { recorded, leftOut } = read(
    [
      entry({ pageref: 'one' }),
      entry({ pageref: 'one', url: 'wss://shop.test/live', response: { status: 101 } }),
      entry({ pageref: 'one', url: 'data:,x' }),
      entry({ pageref: 'two', startedDateTime: at(1005) }),
    ],
    pages,
  );
  expect(recorded.pages.map(({ visits }) => visits.map(({ webSockets }) => webSockets))).toEqual([
    [['wss://shop.test/live'], undefined],
  ]);
  expect([recorded.exchanges.length, leftOut]).toEqual([2, 0]);
});

test('loads of one address are visits of one page, with the moments that HTTP-AE noted', () => {
  const pages = [
    { id: 'one', startedDateTime: at(-10), title: 'Shop', pageTimings: { _baseMs: 100, _totalMs: 300 } },
    { id: 'two', startedDateTime: at(1000), title: 'Shop again', pageTimings: { _baseMs: -1, _totalMs: 9e9 } },
    { id: 'three', startedDateTime: at(2000), title: '', pageTimings: {} },
  ];
  const { recorded } = read(
    [
      entry({ pageref: 'one' }),
      entry({ pageref: 'one', url: 'https://shop.test/b', startedDateTime: at(20) }),
      entry({ pageref: 'two', url: 'https://shop.test/#later', startedDateTime: at(1005) }),
      entry({ pageref: 'three', url: 'https://other.test/', startedDateTime: at(2005) }),
    ],
    pages,
  );
  expect(recorded).toMatchObject({ title: 'Shop', recordedEpochMs: startMs });
  expect(recorded.pages).toMatchObject([
    {
      number: 1,
      url: 'https://shop.test/',
      title: 'Shop',
      visits: [
        { startEpochMs: startMs - 10, baseMs: 100, viewportMs: null, totalMs: 300 },
        { startEpochMs: startMs + 1000, baseMs: null, viewportMs: null, totalMs: null },
      ],
    },
    { number: 2, url: 'https://other.test/', title: '', visits: [{ startEpochMs: startMs + 2000 }] },
  ]);
  expect(recorded.exchanges.map(({ page, visit, url, startMs: ms }) => [page, visit, url, ms])).toEqual([
    [1, 1, 'https://shop.test/', 81],
    [1, 1, 'https://shop.test/b', 101],
    [1, 2, 'https://shop.test/', 76],
    [2, 1, 'https://other.test/', 76],
  ]);
});

test.for<[string, object, object | null]>([
  ['text', { text: 'Grüße' }, { bytes: 7 }],
  ['Base64', { text: 'iVA=', encoding: 'base64' }, { bytes: 2 }],
  ['nothing', { text: '' }, null],
])('a body that a HAR has as %s is what was sent', ([, content, body]) => {
  const { recorded } = read([entry(), entry({ url: 'https://shop.test/b', response: { content } })]);
  if (body === null) expect(recorded.exchanges[1]!.body).toBeNull();
  else expect(recorded.exchanges[1]!.body).toMatchObject(body);
});

test('the tunnel through which a proxy has the page is no page', () => {
  const { recorded, leftOut } = read([
    entry({ url: 'http://shop.test:443/', request: { method: 'CONNECT' } }),
    entry({ startedDateTime: at(1) }),
  ]);
  expect(recorded.pages).toMatchObject([{ url: 'https://shop.test/' }]);
  expect([recorded.exchanges.length, leftOut]).toEqual([1, 1]);
});

test('an answer without its body, or with a part of it, is counted', () => {
  const of = (content: object) => entry({ response: { content } });
  const { withoutBody, cutShort } = read([
    entry(),
    of({ size: 5 }),
    of({ size: 5, text: '' }),
    of({ size: 0, text: '' }),
    entry({ response: { status: 304, content: { size: 0 } } }),
    of({ size: 2_000_000, text: 'x'.repeat(1_048_576) }),
    of({ size: 3000, text: Buffer.alloc(1000).toString('base64'), encoding: 'base64' }),
    of({ size: 3000, text: Buffer.alloc(3000).toString('base64'), encoding: 'base64' }),
    // In Latin-1; and the size of what was compressed, to no avail.
    of({ size: 1000, text: 'é'.repeat(1000) }),
    of({ size: 1020, text: 'x'.repeat(1000) }),
  ]);
  expect({ withoutBody, cutShort }).toEqual({ withoutBody: 3, cutShort: 2 });
});

test('what no Site can hold is left out, counted, and loses nothing else', () => {
  const long = `https://shop.test/${'x'.repeat(70_000)}`;
  const headers = Array.from({ length: 501 }, () => ({ name: 'X-Many', value: '' }));
  const { recorded, leftOut } = read([
    entry({ _initiator: long }),
    entry({ url: long }),
    entry({ response: { headers } }),
    entry({ response: { status: 200.5 } }),
    entry({ url: 'https://odd~name.test/' }),
  ]);
  expect(recorded.exchanges).toMatchObject([{ url: 'https://shop.test/', initiatorUrl: null }]);
  expect([recorded.hosts.map(({ name }) => name), leftOut]).toEqual([['shop.test'], 4]);
});

test('headers that are lines of one value are several, and a line that a value continues on is one', () => {
  const headers = [
    { name: 'Link', value: '</a.css>; rel=preload\n</b.css>; rel=preload' },
    { name: 'X-Folded', value: 'one\r\n two' },
    { name: 'X-Space', value: ' caf\u00e9\t' },
    { name: ':status', value: '200' },
    { name: 'Set-Cookie', value: 'a=1\nb=2' },
  ];
  const { exchanges } = readOne({ response: { headers } });
  expect(exchanges[0]!.headers).toEqual([
    ['Link', '</a.css>; rel=preload'],
    ['Link', '</b.css>; rel=preload'],
    ['X-Folded', 'one  two'],
    ['X-Space', 'caf\u00e9'],
    ['Set-Cookie', 'a=1'],
    ['Set-Cookie', 'b=2'],
  ]);
});

test('connections have numbers of their own in each load; one that was opened twice is none', () => {
  const reused = { ...timings, dns: -1, connect: -1, ssl: -1 };
  const { exchanges } = read([
    entry({ connection: '91' }),
    entry({ url: 'https://shop.test/1', connection: '91', timings: reused }),
    entry({ url: 'https://shop.test/2', connection: '92' }),
    entry({ url: 'https://shop.test/3', connection: '443' }),
    entry({ url: 'https://shop.test/4', connection: '443' }),
    entry({ url: 'https://shop.test/5' }),
    entry({ url: 'https://shop.test/6', connection: '', timings: reused }),
  ]).recorded;
  expect(exchanges.map(({ connection }) => connection)).toEqual([1, 1, 2, null, null, null, null]);
});

test('a request that has a body is known by its hash', () => {
  const { exchanges } = read([
    entry({ request: { method: 'POST', postData: { text: 'a=1' } } }),
    entry({ request: { method: 'POST', postData: { text: '' } } }),
  ]).recorded;
  expect(exchanges).toMatchObject([
    { method: 'POST', requestBodySha256: 'c22fea5d7428e5cf47ef6354c97c9223c95d6dcdc3e0d2300ff79056b1ff3d85' },
    { method: 'POST', requestBodySha256: null },
  ]);
});
