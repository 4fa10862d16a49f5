import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { buildHar } from '#controller/visits/build-har.ts';
import { findCountedObjects } from '#core/metrics/find-counted-objects.ts';
import { findHarFaults } from '#tests/support/har/find-har-faults.ts';
import { decodeBody } from '#agent/engines/http/fetch/decode-body.ts';
import { load, openClient } from './open-client.ts';

interface TestServer extends AsyncDisposable {
  url: string;
  asked: IncomingMessage[];
}

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<TestServer> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const sendPage = (response: ServerResponse, body: string, headers: Record<string, string> = {}) =>
  response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body);

test('what a page names twice is fetched once, and its own text is not fetched again', async () => {
  await using server = await serve((_request, response) =>
    sendPage(response, '<img src=/a><img src=/a#x><link rel=preload as=image href=/a><p style="background: url(/a)">'),
  );
  await load(openClient(), server.url);
  expect(server.asked.map(({ url }) => url)).toEqual(['/', '/a']);
});

test('a camera’s pictures, which have no end, are broken off, and count for no latency', async () => {
  const ended = Promise.withResolvers<void>();
  await using server = await serve((request, response) => {
    if (request.url === '/') return void sendPage(response, '<img src=/camera>');
    response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=next' }).write('--next\r\n');
    response.on('close', () => ended.resolve());
  });
  const snapshot = await load(openClient(), server.url);
  await ended.promise;
  expect(snapshot.settled).toBe(true);
  expect(snapshot.requests.map(({ type }) => type)).toEqual(['document', 'media']);
  expect(findCountedObjects(snapshot)).toHaveLength(1);
});

test('a page that contains itself ends', async () => {
  await using server = await serve((request, response) =>
    sendPage(
      response,
      `<iframe src="${request.url}"></iframe><iframe src="${request.url}x"></iframe><iframe srcdoc="<iframe src=/></iframe>"></iframe>`,
    ),
  );
  const snapshot = await load(openClient(), server.url);
  expect(snapshot.settled).toBe(true);
  expect(snapshot.frames.length).toBeLessThan(1000);
  expect(Math.max(...snapshot.frames.map(({ path }) => path.length))).toBe(10);
});

test.for([
  [200, 'text/css', true],
  [200, 'Text/CSS; charset=utf-8', true],
  [200, undefined, true],
  [200, 'text/plain', false],
  [200, 'text/html', false],
  [404, 'text/css', false],
] as const)(
  'of a style sheet with status %i and type %s, what it names is fetched: %s',
  async ([status, type, isRead]) => {
    await using server = await serve((request, response) => {
      if (request.url === '/') sendPage(response, '<!doctype html><link rel=stylesheet href=/a.css>');
      else
        response
          .writeHead(status, type === undefined ? {} : { 'content-type': type })
          .end('html { background: url(/b) }');
    });
    await load(openClient(), server.url);
    expect(server.asked.map(({ url }) => url)).toEqual(['/', '/a.css', ...(isRead ? ['/b'] : [])]);
  },
);

test('style sheets that import each other are read once each', async () => {
  await using server = await serve((request, response) => {
    if (request.url === '/') sendPage(response, '<link rel=stylesheet href=/a.css>');
    else
      response
        .writeHead(200, { 'content-type': 'text/css' })
        .end('@import "/a.css"; @import "/b.css"; html { background: url(/image) }');
  });
  await load(openClient(), server.url);
  expect(server.asked.map(({ url }) => url).sort()).toEqual(['/', '/a.css', '/b.css', '/image']);
});

test('cookies are kept for the page that set them, and forgotten by the next cold Visit', async () => {
  await using server = await serve((_request, response) =>
    sendPage(response, '<img src=/a>', { 'set-cookie': 'name=value; Path=/' }),
  );
  const client = openClient();
  for (let visit = 0; visit < 2; visit++) await load(client, server.url);
  expect(server.asked.map(({ headers }) => headers.cookie)).toEqual([undefined, 'name=value', undefined, 'name=value']);
});

test('a warm client asks again only for what is no longer fresh, and takes 304 for what it has', async () => {
  await using server = await serve((request, response) => {
    if (request.url === '/')
      sendPage(response, '<img src=/fresh><img src=/mine><img src=/stale><img src=/never>', {
        'cache-control': 'no-store',
      });
    else if (request.headers['if-none-match'] === '"tag"') response.writeHead(304).end();
    else
      response
        .writeHead(200, {
          'content-type': 'image/png',
          'cache-control': {
            ...{ '/fresh': 'max-age=3600', '/mine': 'private, max-age=3600' },
            ...{ '/stale': 'no-cache', '/never': 'no-store' },
          }[request.url!]!,
          etag: '"tag"',
        })
        .end('image');
  });
  const client = openClient({ pageLoad: { cache: 'warm' } });
  await load(client, server.url);
  const before = server.asked.length;
  const warm = await load(client, server.url);
  expect(
    server.asked
      .slice(before)
      .map(({ url, headers }) => [url, headers['if-none-match']])
      .sort(),
  ).toEqual([
    ['/', undefined],
    ['/never', undefined],
    ['/stale', '"tag"'],
  ]);
  expect(
    warm.requests
      .map(({ url, fromCache, status, decodedBytes }) => [
        url.slice(server.url.length),
        fromCache,
        status,
        decodedBytes,
      ])
      .slice(1)
      .sort(),
  ).toEqual([
    ['/fresh', true, 200, 5],
    ['/mine', true, 200, 5],
    ['/never', false, 200, 5],
    ['/stale', true, 200, 5],
  ]);
  await client.close();
});

test('twenty redirects are followed, as browsers do, and no more', async () => {
  await using server = await serve((request, response) => {
    const left = Number(request.url!.slice(1));
    if (left === 0) sendPage(response, 'the end');
    else response.writeHead(302, { location: `/${left - 1}` }).end();
  });
  expect((await load(openClient(), `${server.url}/20`)).requests.at(-1)).toMatchObject({ hop: 20, status: 200 });
  expect(await openClient().visit(`${server.url}/21`)).toMatchObject({ status: 'failed', code: 'redirect-loop' });
});

test('redirects are followed, with each hop reported, and not to where a page may not lead', async () => {
  await using server = await serve((request, response) => {
    const location = {
      '/start': '/middle',
      '/middle': '/end#part',
      '/image': 'file:///etc/hostname',
      '/other': 'http://[',
    }[request.url!];
    if (location) response.writeHead(302, { location }).end('moved');
    else sendPage(response, '<img src=/image><img src=/other>');
  });
  const snapshot = await load(openClient(), `${server.url}/start`);
  const documents = snapshot.requests.filter(({ isMainDocument }) => isMainDocument);
  expect(documents.map(({ hop, status, url }) => [hop, status, url.slice(server.url.length)])).toEqual([
    [0, 302, '/start'],
    [1, 302, '/middle'],
    [2, 200, '/end'],
  ]);
  expect(snapshot.frames[0]!.navigation).toMatchObject({ name: `${server.url}/end`, redirectCount: 2 });
  expect(snapshot.requests.filter(({ type }) => type === 'image').map(({ failure }) => failure?.split(':')[0])).toEqual(
    ['unsupported-content', 'unsupported-content'],
  );
});

test('a HAR has headers where they are asked for, without secrets, and the phases of what opened a connection', async () => {
  await using server = await serve((_request, response) =>
    sendPage(response, '<img src=/a>', { 'set-cookie': 'name=value; Path=/' }),
  );
  const [plain, asked] = [
    await load(openClient(), server.url),
    await load(openClient({ recordsHeaders: true }), server.url),
  ];
  expect(plain.requests.map(({ exchange }) => exchange!.headers)).toEqual([null, null]);
  const har = buildHar(asked, {
    visit: { id: '5c7e0d9e-8b1f-4a55-9a3e-111111111111', description: 'A test', clockOffsetMs: 0 },
    creatorVersion: '1.0',
  });
  expect(findHarFaults(har)).toEqual([]);
  const [base, image] = har.log.entries;
  expect(base!.response.headers).toContainEqual({ name: 'set-cookie', value: '[redacted]' });
  expect(image!.request.headers).toContainEqual({ name: 'cookie', value: '[redacted]' });
  expect(base).toMatchObject({
    serverIPAddress: '127.0.0.1',
    response: { statusText: 'OK', content: { mimeType: 'text/html' } },
  });
  expect(base!.timings.connect).toBeGreaterThanOrEqual(0);
});

test('a page whose text does not end has a Snapshot at the hard cap, which says so, and the next Visit is like any other', async () => {
  await using server = await serve((request, response) => {
    if (request.url !== '/endless') return void sendPage(response, '<title>Whole</title>');
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).write('<title>Endless</title><img src=/a>');
  });
  const client = openClient({ pageLoad: { timeoutMs: 2000 } });
  const snapshot = await load(client, `${server.url}/endless`);
  expect(snapshot).toMatchObject({ settled: false, frames: [{ title: 'Endless' }] });
  expect(snapshot.requests[0]).toMatchObject({ status: 200, endEpochMs: null });
  expect(await load(client, server.url)).toMatchObject({ settled: true, frames: [{ title: 'Whole' }] });
});

test('a small answer that decompresses to too much is too large', async () => {
  const bomb = gzipSync(Buffer.alloc(80 * 2 ** 20, 32));
  await using server = await serve((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(bomb),
  );
  expect(await openClient().visit(server.url)).toMatchObject({ status: 'failed', code: 'too-large' });
});

describe('a body', () => {
  const text = 'The text of a page. '.repeat(1000);
  const read = async (coding: string | undefined, body: Buffer) => {
    const chunks: Buffer[] = [];
    const decoder = decodeBody(coding, (chunk) => chunks.push(chunk));
    for (let place = 0; place < body.length; place += 100) decoder.write(body.subarray(place, place + 100));
    await decoder.end();
    return Buffer.concat(chunks).toString();
  };

  test.each([
    [undefined, Buffer.from(text)],
    ['identity', Buffer.from(text)],
    ['gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['zstd', zstdCompressSync(text)],
    ['br, gzip', gzipSync(brotliCompressSync(text))],
    ['unheard-of', Buffer.from(text)],
  ])('in the coding %s is read', async (coding, body) => {
    expect(await read(coding, body)).toBe(text);
  });

  test.each(['gzip', 'br', 'zstd', 'gzip, br'])(
    'that is not in the coding %s, as it says, is reported',
    async (coding) => {
      await expect(read(coding, Buffer.from(text))).rejects.toThrow();
    },
  );
});
