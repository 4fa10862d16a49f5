import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { replayMissType } from '#core/metrics/replay-misses.ts';
import { writeSite, type RecordedExchange } from '#site/write-site.ts';
import { listThinkTimes, openReplayContent } from '#testbed/hosts/servers/replay-content.ts';
import { createAuthority } from '#testbed/origin/certificates/certificate-authority.ts';
import { issueCertificate } from '#testbed/origin/certificates/issue-certificate.ts';
import { openListener, type Listener } from '#testbed/origin/open-listener.ts';
import { TruthRecorder } from '#testbed/origin/truth-log.ts';
import { makeRecordedBody, makeRecordedExchange, makeRecordedSite } from '../../../support/make-recorded-site.ts';
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts';
import { makeSite } from '../../core/site/support/make-site.ts';

const nowEpochMs = Date.parse('2026-01-01T00:00:00Z');
const coded = gzipSync('Hello '.repeat(100));
const answer = (at: string, change: Partial<RecordedExchange> = {}) =>
  makeRecordedExchange({ url: `http://shop.test${at}`, thinkMs: 0, ...change });

const stack = new AsyncDisposableStack();
const recorder = new TruthRecorder();
let file: string;
let http: Listener;
let http2: Listener;
beforeAll(async () => {
  const folder = stack.use(await makeTemporaryFolder());
  file = path.join(folder.path, 'shop.wacz');
  const [host] = makeRecordedSite().hosts;
  const exchanges = [
    answer('/', {
      status: 203,
      body: makeRecordedBody(coded),
      headers: [
        ['X-Second', '2'],
        ['Set-Cookie', 'b=2'],
        ['X-First', '1'],
        ['Set-Cookie', 'a=1'],
        ['Content-Encoding', 'gzip'],
        ['Content-Length', String(coded.length)],
        ['Connection', 'close'],
        ['TE', 'gzip'],
        ['HTTP2-Settings', 'AAMAAABk'],
        ['Alt-Svc', 'h3=":443"'],
      ],
    }),
    answer('/chunked', {
      headers: [
        ['Transfer-Encoding', 'chunked'],
        ['X-Content-Type-Options', 'nosniff'],
        ['X-Content-Type-Options', 'nosniff'],
      ],
      trailers: [['X-Trailer', 'after']],
      body: makeRecordedBody('in chunks'),
    }),
    answer('/hinted', {
      earlyHints: [{ thinkMs: 0, links: ['</a.css>; rel=preload; as=style', '</b.css>; imagesrcset="a 1x, b 2x"'] }],
      headers: [],
      body: makeRecordedBody('after the hints'),
    }),
    answer('/empty', { status: 204, body: null, headers: [] }),
    answer('/damaged', { body: makeRecordedBody('x'.repeat(100_000)) }),
    answer('/second?a={b}', {
      page: 2,
      headers: [
        ['Date', 'Sun, 17 May 2020 12:00:00 GMT'],
        ['Expires', 'Sun, 17 May 2020 12:10:00 GMT'],
        ['Last-Modified', 'yesterday'],
      ],
      body: makeRecordedBody('of page 2'),
    }),
    ...[302, 200, 201].map((status) =>
      answer('/again', {
        page: 3,
        status,
        headers: [['Location', '/again']],
        requestHeaders: [['accept', 'text/html']],
      }),
    ),
    answer('/poll', { body: makeRecordedBody('first') }),
    answer('/poll', { body: makeRecordedBody('last') }),
  ];
  const page = { title: '', visits: [] };
  const site = await writeSite(
    file,
    makeRecordedSite({
      hosts: [host!],
      pages: [
        { ...page, number: 1, url: 'http://shop.test/' },
        { ...page, number: 2, url: 'http://shop.test/second?a={b}#part' },
        { ...page, number: 3, url: 'http://shop.test/again' },
      ],
      exchanges: [...exchanges, ...exchanges.map((each) => ({ ...each, url: each.url.replace('http:', 'https:') }))],
    }),
    { nowEpochMs, keepsSecrets: true },
  );
  await damage(site.exchanges.find(({ url }) => url.endsWith('/damaged'))!.body!.offset);
  const content = stack.use(
    await openReplayContent({ sites: [{ file, pages: [1, 2, 3] }], thinkTimeFactor: 1, recorder }),
  );
  const certificate = await issueCertificate(await createAuthority(nowEpochMs), { hosts: ['shop.test'], nowEpochMs });
  const shared = {
    host: '127.0.0.1',
    port: 0,
    certificate,
    recorder,
    readEpochMs: () => nowEpochMs,
    serve: (arrival: Parameters<typeof content.serve>[0]) => content.serve(arrival, 'shop.test'),
    upgrade: (arrival: Parameters<typeof content.upgrade>[0]) => content.upgrade(arrival),
  };
  http = stack.adopt(await openListener({ ...shared, name: 'http' }), (each) => each.close());
  http2 = stack.adopt(await openListener({ ...shared, name: 'http2' }), (each) => each.close());
});
afterAll(() => stack.disposeAsync());

/** Changes a byte of a body: its length is as before, and its SHA-256 is not. */
async function damage(offset: number): Promise<void> {
  await using handle = await open(file, 'r+');
  const whole = await handle.readFile();
  const archive = whole.indexOf(Buffer.from('archive/data.warc.gz')) + 'archive/data.warc.gz'.length;
  const place = archive + offset + 200;
  await handle.write(Buffer.from([whole[place]! ^ 0xff]), 0, 1, place);
}

/** What the server sends on a connection for these bytes, until it closes it. */
async function speak(request: string): Promise<string> {
  const socket: Socket = connect(http.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(request.replaceAll('\n', '\r\n'));
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  await once(socket, 'close');
  return Buffer.concat(parts).toString('latin1');
}
const get = (at: string, more = '') => speak(`GET ${at} HTTP/1.1\nHost: shop.test\nConnection: close\n${more}\n`);
const bodyOf = (answered: string) => answered.slice(answered.indexOf('\r\n\r\n') + 4);

describe('over HTTP/1.1', () => {
  test('status, headers in their order and coded bytes are those of the recording', async () => {
    const answered = await get('/');
    const [head, ...headers] = answered.slice(0, answered.indexOf('\r\n\r\n')).split('\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 203 /);
    expect(headers).toEqual([
      'X-Second: 2',
      'Set-Cookie: b=2',
      'X-First: 1',
      'Set-Cookie: a=1',
      'Content-Encoding: gzip',
      `Content-Length: ${coded.length}`,
      'Connection: close',
    ]);
    expect(bodyOf(answered)).toBe(coded.toString('latin1'));
  });

  test('a body without a length is in chunks, with its trailers', async () => {
    expect(bodyOf(await get('/chunked'))).toBe('9\r\nin chunks\r\n0\r\nX-Trailer: after\r\n\r\n');
  });

  test('an answer without a body has none, and HEAD has the length of the GET', async () => {
    expect(bodyOf(await get('/empty'))).toBe('');
    const answered = await speak('HEAD / HTTP/1.1\nHost: shop.test\nConnection: close\n\n');
    expect(answered).toContain(`Content-Length: ${coded.length}`);
    expect(bodyOf(answered)).toBe('');
  });

  test('what the recording has nothing like is a 404 of its own type, and is no part of the page after', async () => {
    const answered = await get('/nothing');
    expect(answered).toMatch(/^HTTP\/1\.1 404 /);
    expect(answered).toContain(`content-type: ${replayMissType}`);
  });

  test('a damaged body breaks off, so that it looks like no whole answer', async () => {
    const answered = await get('/damaged');
    expect(answered.endsWith('0\r\n\r\n')).toBe(false);
  });

  test('asking for a page begins its recording from the first answer, and another page has none of it', async () => {
    await get('/');
    const polls = [await get('/poll'), await get('/poll'), await get('/poll')].map(bodyOf);
    expect(polls.map((text) => text.split('\r\n')[1])).toEqual(['first', 'last', 'last']);
    await get('/', 'Sec-Fetch-Dest: empty\n');
    expect(bodyOf(await get('/poll'))).toContain('last');
    for (const ahead of ['Accept: */*\n', 'Sec-Fetch-Dest: document\nSec-Purpose: prefetch\n']) {
      await get('/second?a=%7Bb%7D', ahead);
      expect(bodyOf(await get('/poll'))).toContain('last');
    }
    await get('/');
    expect(bodyOf(await get('/poll'))).toContain('first');
    expect(bodyOf(await get('/second?a=%7Bb%7D'))).toContain('of page 2');
    expect(await get('/poll')).toMatch(/^HTTP\/1\.1 404 /);
  });

  test('a page that leads to itself, or loads itself again, goes on in its recording, and the next Visit begins it', async () => {
    const statusOf = async (more = '') => (await get('/again', more)).slice(9, 12);
    const reload = 'Sec-Fetch-Site: same-origin\n';
    const visit = async () => [await statusOf(), await statusOf(), await statusOf(reload)];
    expect([await visit(), await visit()]).toEqual([
      ['302', '200', '201'],
      ['302', '200', '201'],
    ]);
    expect([await statusOf(), await statusOf(), await statusOf()]).toEqual(['302', '200', '302']);
  });

  test('dates are moved to now, so that caches find an answer as fresh as it was', async () => {
    const answered = await get('/second?a=%7Bb%7D');
    const read = (name: string) => Date.parse(new RegExp(`\r\n${name}: (\\w{3}, .* GMT)\r\n`).exec(answered)![1]!);
    expect(read('Date')).toBeGreaterThan(Date.parse('Sun, 17 May 2020 12:00:00 GMT'));
    expect(read('Expires') - read('Date')).toBe(600_000);
    expect(answered).toContain('\r\nLast-Modified: yesterday\r\n');
  });
});

test('over HTTP/2 the same, with names in lower case', async () => {
  await get('/');
  const session = connectHttp2(`https://127.0.0.1:${http2.port}`, { rejectUnauthorized: false });
  stack.defer(() => session.destroy());
  const ask = async (at: string) => {
    const stream = session.request({ ':path': at });
    const trailers: unknown[] = [];
    stream.on('trailers', (given: object) => trailers.push(Object.fromEntries(Object.entries(given))));
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    const parts = (await stream.toArray()) as Buffer[];
    return { headers: Object.fromEntries(Object.entries(headers)), body: Buffer.concat(parts), trailers };
  };
  const { headers, body } = await ask('/');
  expect(headers).toEqual({
    ':status': 203,
    'x-second': '2',
    'set-cookie': ['b=2', 'a=1'],
    'x-first': '1',
    'content-encoding': 'gzip',
    'content-length': String(coded.length),
  });
  expect(body).toEqual(coded);
  const chunked = await ask('/chunked');
  expect(chunked.trailers).toEqual([{ 'x-trailer': 'after' }]);
  expect(chunked.headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
  const hinted = session.request({ ':path': '/hinted' });
  const came: unknown[] = [];
  hinted.on('headers', ({ ':status': status, link }: Record<string, unknown>) => came.push([status, link]));
  hinted.on('response', ({ ':status': status }: Record<string, unknown>) => came.push(status));
  await hinted.toArray();
  expect(came).toEqual([[103, '</a.css>; rel=preload; as=style, </b.css>; imagesrcset="a 1x, b 2x"'], 200]);
  expect(await get('/hinted')).toMatch(/^HTTP\/1\.1 200 /);
  await ask('/chunked');
  expect(recorder.requests().at(-1)).toMatchObject({
    host: 'shop.test',
    status: 200,
    outcome: 'complete',
    bodyBytes: 9,
  });
});

test('a request takes as long as the same took at least: the same body, and the same turn in its visit', () => {
  const at = (url: string, thinkMs: number | null, more: object = {}) => ({
    url: `https://a.test${url}`,
    thinkMs,
    ...more,
  });
  const [one, other] = ['1', '2'].map((digit) => ({ method: 'POST', requestBodySha256: digit.repeat(64) }));
  const site = makeSite([
    at('/query', 10, one),
    at('/query', 800, other),
    at('/poll', 5),
    at('/poll', 20_000),
    at('/query', 700, { ...other, visit: 2 }),
    at('/poll', 7, { visit: 2 }),
    at('/poll', null, { visit: 2 }),
    at('/unknown', null),
  ]);
  expect([...listThinkTimes(site).values()]).toEqual([10, 700, 5, 20_000, 700, 5, 20_000, 0]);
});
