import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { load, openClient, type ClientOptions } from './open-client.ts';

interface Answer {
  body?: string | Buffer;
  fields?: Record<string, string | string[]>;
}

/** A server under several names, each of which is a site of its own. PORT in a body is its port. */
async function serve(answers: Record<string, Answer>) {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    const { body = '', fields = {} } = answers[request.url!] ?? { fields: { 'content-type': 'image/png' } };
    const { port } = server.address() as AddressInfo;
    response.writeHead(200, { 'content-type': 'text/html', ...fields });
    response.end(typeof body === 'string' ? body.replaceAll('PORT', String(port)) : body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    asked,
    urlOf: (host: string) => `http://${host}:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What is asked for beside the page at `/`. */
async function askedBy(answers: Record<string, Answer>): Promise<string[]> {
  await using server = await serve(answers);
  await load(openClient(), server.urlOf('a.localhost'));
  return server.asked.slice(1).map(({ url }) => url!);
}

describe('a frame', () => {
  test('that came with its page has the base of that', async () => {
    const body = '<base href=/base/><iframe srcdoc="<img src=a><iframe srcdoc=\'<img src=b>\'></iframe>"></iframe>';
    expect(await askedBy({ '/': { body } })).toEqual(['/base/a', '/base/b']);
  });

  test('of the same origin that names no encoding has that of its page, and one of another has none', async () => {
    const frame = { body: Buffer.from('<img src="/\u00e9">') };
    const body = '<iframe src=/own></iframe><iframe src=http://b.localhost:PORT/other></iframe>';
    const page = { body, fields: { 'content-type': 'text/html; charset=utf-8' } };
    const asked = await askedBy({ '/': page, '/own': frame, '/other': frame });
    expect(asked.sort()).toEqual(['/%C3%83%C2%A9', '/%C3%A9', '/other', '/own']);
  });

  test('that saves its document shows nothing of it', async () => {
    const saved = {
      body: '<img src=/no>',
      fields: { 'content-disposition': 'attachment', link: '</no>; rel=preload; as=image' },
    };
    expect(await askedBy({ '/': { body: '<iframe src=/saved></iframe>' }, '/saved': saved })).toEqual(['/saved']);
  });
});

test.for([
  ['', ['/s', '/a']],
  ['<!doctype html>', ['/s']],
] as const)(
  'with the document type "%s", of a style sheet of the site of any type these are fetched: %j',
  async ([type, expected]) => {
    const sheet = { body: 'p { background: url(/a) }', fields: { 'content-type': 'text/plain' } };
    expect(await askedBy({ '/': { body: `${type}<link rel=stylesheet href=/s><p>x` }, '/s': sheet })).toEqual(expected);
  },
);

test('the newer codings are offered to this machine, where no proxy can break them', async () => {
  await using server = await serve({});
  await openClient().visit(server.urlOf('127.0.0.1'));
  expect(server.asked[0]!.headers['accept-encoding']).toBe('gzip, deflate, br, zstd');
});

describe('cookies', () => {
  const setting = (...cookies: string[]) => ({ fields: { 'set-cookie': cookies } });
  const all = setting(
    'none=1; SameSite=None; Secure',
    'open=1; SameSite=None',
    'lax=1; SameSite=Lax',
    'strict=1; SameSite=Strict',
    'silent=1',
    '=nameless',
  );
  const cookiesOf = (asked: readonly IncomingMessage[], path: string) =>
    asked.filter(({ url }) => url === path).map(({ headers }) => headers.cookie);

  test('of the page itself go with all that it asks for of its site', async () => {
    await using server = await serve({
      '/': { body: '<img src=/a><iframe src=/f></iframe>', ...all },
      '/f': { body: '<img src=/b>' },
    });
    await load(openClient(), server.urlOf('a.localhost'));
    for (const path of ['/a', '/b', '/f'])
      expect(cookiesOf(server.asked, path)).toEqual(['none=1; lax=1; strict=1; silent=1; nameless']);
  });

  test('of another site are neither taken nor given', async () => {
    const body = '<link rel=stylesheet href=http://b.localhost:PORT/s><p>x';
    await using server = await serve({
      '/': { body },
      '/s': { body: '@import "/t"; p { background: url(/c) }', fields: { ...all.fields, 'content-type': 'text/css' } },
    });
    await load(openClient(), server.urlOf('a.localhost'));
    expect(['/t', '/c'].map((path) => cookiesOf(server.asked, path))).toEqual([[undefined], [undefined]]);
  });

  test('of a site that is framed by another are foreign there, and stay its own', async () => {
    await using server = await serve({
      '/': { body: '<p>x', ...all },
      '/framing': { body: '<iframe src=http://a.localhost:PORT/f></iframe>' },
      '/f': { body: '<img src=/b>' },
    });
    const client = openClient({ pageLoad: { cache: 'warm' } });
    await load(client, server.urlOf('a.localhost'));
    await load(client, `${server.urlOf('b.localhost')}framing`);
    await load(client, `${server.urlOf('a.localhost')}f`);
    await client.close();
    expect(cookiesOf(server.asked, '/b')).toEqual([undefined, 'none=1; lax=1; strict=1; silent=1; nameless']);
  });
});

test('a warm Pass keeps what each site asks for apart, also of the same address', async () => {
  const fresh: ClientOptions = { pageLoad: { cache: 'warm' } };
  await using server = await serve({
    '/': { body: '<img src=http://c.localhost:PORT/a>' },
    '/framing': { body: '<iframe src=http://b.localhost:PORT/></iframe>' },
    '/a': { body: 'x', fields: { 'content-type': 'image/png', 'cache-control': 'max-age=1000' } },
  });
  const client = openClient(fresh);
  const counts: number[] = [];
  for (const url of [
    server.urlOf('a.localhost'),
    server.urlOf('b.localhost'),
    server.urlOf('a.localhost'),
    `${server.urlOf('a.localhost')}framing`,
  ]) {
    await load(client, url);
    counts.push(server.asked.filter(({ url: path }) => path === '/a').length);
  }
  await client.close();
  expect(counts).toEqual([1, 2, 2, 3]);
});
