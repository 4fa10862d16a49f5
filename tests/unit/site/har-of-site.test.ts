import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { writeHarOfSite } from '#site/export-har.ts';
import { readSiteOfHar } from '#site/import-har.ts';
import { openSite } from '#site/open-site.ts';
import { writeSite, type RecordedSite } from '#site/write-site.ts';
import { findHarFaults } from '#tests/support/har/find-har-faults.ts';
import {
  makeRecordedBody,
  makeRecordedExchange,
  makeRecordedSite,
  recordedEpochMs,
} from '#tests/support/make-recorded-site.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

const coded = (url: string, coding: string, bytes: Buffer) =>
  makeRecordedExchange({
    url,
    headers: [
      ['content-type', 'text/plain'],
      ['content-encoding', coding],
      ['content-length', String(bytes.length)],
    ],
    body: makeRecordedBody(bytes),
    connectMs: null,
    tlsMs: null,
  });

async function exportSite(recorded: RecordedSite): Promise<string> {
  await using folder = await makeTemporaryFolder();
  const file = path.join(folder.path, 'a.wacz');
  await writeSite(file, recorded, { nowEpochMs: recordedEpochMs });
  await using opened = await openSite(file);
  return await text(Readable.from(writeHarOfSite(opened)));
}

interface WrittenHar {
  log: { entries: { response: { content: { text?: string; encoding?: string; size: number; comment?: string } } }[] };
}

test('a Site is a valid HAR: bodies without their coding, text as text, the rest in Base64', async () => {
  const har = JSON.parse(
    await exportSite(
      makeRecordedSite({
        exchanges: [
          makeRecordedExchange({ trailers: [['server-timing', 'db;dur=5']] }),
          coded('https://shop.test/gzip', 'gzip', gzipSync('gzip')),
          coded('https://shop.test/zlib', 'deflate', deflateSync('zlib')),
          coded('https://shop.test/raw', 'deflate', deflateRawSync('raw')),
          coded('https://shop.test/both', 'gzip, br', brotliCompressSync(gzipSync('both'))),
          coded(
            'https://shop.test/bomb',
            'gzip',
            Buffer.concat(Array<Buffer>(5).fill(gzipSync(Buffer.alloc(64 * 1024 * 1024)))),
          ),
          coded('https://shop.test/foreign', 'rot13', Buffer.from('ebg13')),
          makeRecordedExchange({
            url: 'https://shop.test/bytes',
            headers: [['content-type', 'image/png']],
            body: makeRecordedBody(Buffer.from([0x89, 0x50])),
          }),
          makeRecordedExchange({ url: 'https://shop.test/none', status: 204, headers: [], body: null }),
        ],
      }),
    ),
  ) as WrittenHar;
  expect(findHarFaults(har)).toEqual([]);
  const contents = har.log.entries.map(({ response }) => response.content);
  expect(contents.map(({ text: own, encoding }) => [own?.slice(0, 10), encoding])).toEqual([
    ['<p>Hello', undefined],
    ['gzip', undefined],
    ['zlib', undefined],
    ['raw', undefined],
    ['both', undefined],
    [expect.any(String), 'base64'],
    [Buffer.from('ebg13').toString('base64'), 'base64'],
    ['iVA=', 'base64'],
    [undefined, undefined],
  ]);
  expect(contents.filter(({ comment }) => comment !== undefined)).toHaveLength(2);
});

test('texts that are no UTF-8, and codings that nobody can undo, come back as they were', async () => {
  const of = (path: string, type: string, body: Buffer | string, more: [string, string][] = []) =>
    makeRecordedExchange({
      url: `https://shop.test/${path}`,
      headers: [['content-type', type], ...more],
      body: makeRecordedBody(body),
    });
  const exchanges = [
    of('japanese', 'text/html; charset=iso-2022-jp', '\x1b$B$"\x1b(B'),
    of('meta', 'text/html', '<meta charset="iso-2022-jp">\x1b$B$"\x1b(B'),
    of('utf-16', 'text/html', Buffer.from('<p>Hello', 'utf16le')),
    of('latin', 'text/html; charset=iso-8859-1', 'Hello'),
    of('foreign', 'text/plain', 'ebg13', [['content-encoding', 'rot13']]),
  ];
  const har = await exportSite(makeRecordedSite({ exchanges }));
  const { recorded } = readSiteOfHar(Buffer.from(har), 'a.har');
  const plain = ({ url, headers, body }: RecordedSite['exchanges'][number]) => [url, headers, body?.sha256];
  expect(recorded.exchanges.map(plain)).toEqual(exchanges.map(plain));
});

test('what a Site does not know is −1 in its HAR, and what took no time is 0', async () => {
  const har = JSON.parse(
    await exportSite(
      makeRecordedSite({
        exchanges: [
          makeRecordedExchange({ startMs: 80, connectMs: 20, tlsMs: 30, thinkMs: 5, receiveMs: 4, connection: 3 }),
          makeRecordedExchange({
            url: 'https://shop.test/a?b=1&c=%20',
            method: 'POST',
            requestBodySha256: 'a'.repeat(64),
            connectMs: null,
            tlsMs: null,
            thinkMs: null,
            receiveMs: null,
            connection: null,
          }),
        ],
      }),
    ),
  ) as { log: { pages: object[]; entries: object[] } };
  const { connectMs } = makeRecordedSite().hosts[0]!;
  const unknown = { blocked: -1, dns: -1, send: 0 };
  expect(har.log.pages).toMatchObject([{ pageTimings: { onContentLoad: -1, onLoad: -1 } }]);
  expect(har.log.entries).toMatchObject([
    {
      connection: '3',
      time: 20 + 30 + 5 + connectMs! + 4,
      request: { headersSize: -1, bodySize: 0, queryString: [] },
      response: { headersSize: -1 },
      timings: { ...unknown, connect: 50, ssl: 30, wait: 5 + connectMs!, receive: 4 },
    },
    {
      time: connectMs,
      request: {
        bodySize: -1,
        queryString: [
          { name: 'b', value: '1' },
          { name: 'c', value: ' ' },
        ],
      },
      timings: { ...unknown, connect: -1, ssl: -1, wait: connectMs, receive: 0 },
    },
  ]);
  expect(har.log.entries[1]).not.toHaveProperty('connection');
});

test('a HAR becomes the Site that it was made of, but for content codings', async () => {
  const before = makeRecordedSite({
    hosts: [{ ...makeRecordedSite().hosts[0]!, certificateChain: null }],
    pages: [
      {
        ...makeRecordedSite().pages[0]!,
        visits: [1, 2].map((visit) => ({
          startEpochMs: recordedEpochMs + 10_000 * visit,
          engine: 'HTTP-AE 1.0.0',
          baseMs: 100,
          viewportMs: null,
          totalMs: 300,
        })),
      },
    ],
    exchanges: [1, 2].flatMap((visit) => [
      makeRecordedExchange({ visit, headers: [['content-type', 'text/html;charset=utf-8']] }),
      makeRecordedExchange({
        visit,
        url: 'https://shop.test/style.css',
        headers: [['content-type', 'text/css;charset=utf-8']],
        initiatorUrl: 'https://shop.test/',
        startMs: 80,
        connectMs: null,
        tlsMs: null,
        trailers: [['x-end', 'yes']],
        body: makeRecordedBody('p { color: green }'),
      }),
    ]),
    recordedEpochMs: recordedEpochMs + 10_000,
  });
  const { recorded, leftOut, withoutBody } = readSiteOfHar(Buffer.from(await exportSite(before)), 'a.har');
  expect({ leftOut, withoutBody }).toEqual({ leftOut: 0, withoutBody: 0 });
  const plain = (site: RecordedSite) => ({
    ...site,
    exchanges: site.exchanges.map(({ body, startMs, ...rest }) => ({
      ...rest,
      startMs: Math.round(startMs),
      sha256: body?.sha256,
    })),
  });
  expect(plain(recorded)).toEqual({
    ...plain(before),
    // The first request was sent after its connection was there, which a HAR counts to the visit.
    pages: [
      {
        ...before.pages[0]!,
        visits: before.pages[0]!.visits.map((visit) => ({ ...visit, startEpochMs: visit.startEpochMs - 50 })),
      },
    ],
    recordedEpochMs: before.recordedEpochMs - 50,
    exchanges: plain(before).exchanges.map((exchange) => ({ ...exchange, startMs: exchange.startMs + 50 })),
  });
});

const start = '2026-11-28T10:00:00.000Z';
const harEntry = (request: object, response: object = {}, change: object = {}) => ({
  startedDateTime: start,
  time: 100,
  request: { method: 'GET', url: 'https://shop.test/', headers: [{ name: ':path', value: '/' }], ...request },
  response: { status: 200, httpVersion: 'h2', headers: [], content: { size: 5, text: 'Hello' }, ...response },
  timings: { blocked: 1, dns: 10, connect: 60, ssl: 40, send: 0, wait: 25, receive: 4 },
  ...change,
});
const readHar = (...entries: object[]) =>
  readSiteOfHar(Buffer.from(JSON.stringify({ log: { creator: { name: 'Test' }, entries } })), 'a.har');

test('a HAR of a browser: bodies that it decoded lose their coding, and times become those of the server', () => {
  const { recorded } = readHar(
    harEntry(
      {},
      {
        headers: [
          { name: 'content-type', value: 'text/html; charset=iso-8859-1' },
          { name: 'content-encoding', value: 'br' },
          { name: 'content-length', value: '3' },
          { name: 'x-odd', value: 'a\r\nb\u20ac' },
          { name: 'not a name', value: '' },
        ],
      },
      { serverIPAddress: '[2001:db8::1]', connection: '77' },
    ),
    harEntry(
      { url: 'https://shop.test/later#part' },
      { httpVersion: 'http/1.0' },
      {
        timings: { blocked: 0, dns: -1, connect: -1, ssl: -1, send: 0, wait: 5, receive: 4 },
        _initiator: { type: 'parser', url: 'https://shop.test/' },
        connection: '77',
      },
    ),
  );
  expect(recorded.hosts).toEqual([
    {
      name: 'shop.test',
      address: '2001:db8::1',
      connectMs: 20,
      certificateNames: ['shop.test'],
      certificateChain: null,
      protocols: ['h2', 'http/1.1'],
    },
  ]);
  expect(recorded.exchanges).toMatchObject([
    {
      requestHeaders: [],
      headers: [
        ['content-type', 'text/html;charset=utf-8'],
        ['x-odd', 'a'],
        ['x-odd', 'b\xe2\x82\xac'],
      ],
      startMs: 71,
      connectMs: 20,
      tlsMs: 40,
      thinkMs: 5,
      receiveMs: 4,
      connection: 1,
    },
    { url: 'https://shop.test/later', thinkMs: 0, connectMs: null, connection: 1, initiatorUrl: 'https://shop.test/' },
  ]);
});

test('an object that the browser had, and asked for again, is whole; ports of servers are no connections', () => {
  const at = (url: string) => harEntry({ url }, { status: 304 }, { connection: '443' });
  const { recorded } = readHar(at('https://shop.test/'), at('https://cdn.shop.test/one'));
  expect(recorded.exchanges.map(({ status, connection }) => [status, connection])).toEqual([
    [200, null],
    [200, null],
  ]);
});

test('what a HAR lacks is counted, and one without bodies is refused', () => {
  const { leftOut, withoutBody } = readHar(
    harEntry({}),
    harEntry({ url: 'https://shop.test/blocked' }, { status: 0 }),
    harEntry({ url: 'https://shop.test/upgraded' }, { status: 101 }),
    harEntry({ url: 'https://shop.test/large' }, { content: { size: 5_000_000 } }),
  );
  expect({ leftOut, withoutBody }).toEqual({ leftOut: 2, withoutBody: 1 });
  expect(() => readHar(harEntry({}, { content: { size: 5 } }))).toThrow(/a\.har has no bodies: save it again/);
  expect(() => readHar(harEntry({}, { status: 0 }))).toThrow(/a\.har has no answers/);
  expect(() => readSiteOfHar(Buffer.from('{}'), 'a.har')).toThrow(/a\.har is no HAR: log/);
});
