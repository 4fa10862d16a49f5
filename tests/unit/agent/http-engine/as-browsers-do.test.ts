import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { load, openClient } from './open-client.ts';
import { serveTcp } from './serve-tcp.ts';

type Answer = (response: ServerResponse) => void;

async function serve(answers: Record<string, Answer | string>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    const answer = answers[request.url!];
    if (typeof answer === 'function') return answer(response);
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const send =
  (body: string | Buffer, headers: Record<string, string> = { 'content-type': 'text/html' }, status = 200): Answer =>
  (response) =>
    response.writeHead(status, headers).end(body);

/** What is asked for beside the page. */
async function askedBy(page: Answer | string, others: Record<string, Answer> = {}): Promise<string[]> {
  await using server = await serve({ '/': page, ...others });
  await load(openClient(), server.url);
  return server.asked.slice(1);
}

// Kind 10 of issue 36; webrecorder/browsertrix-crawler#237 and puppeteer/puppeteer#5542 for the documents.
describe('a document that is no HTML, or has a disposition', () => {
  test('an SVG picture asks for its pictures', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink"><image href="/a"/></svg>';
    expect(await askedBy(send(svg, { 'content-type': 'image/svg+xml' }))).toEqual(['/a']);
  });

  test('XML asks for its style sheets and what they show, and its elements mean nothing', async () => {
    const xml = `<?xml version="1.0"?><?xml-stylesheet type="text/css" href="/s.css"?><?xml-stylesheet type="text/xsl" href="/no"?><list><img src="/no"/><item/></list>`;
    const asked = await askedBy(send(xml, { 'content-type': 'application/xml' }), {
      '/s.css': send('item { background: url(/b) }', { 'content-type': 'text/css' }),
    });
    expect(asked).toEqual(['/s.css', '/b']);
  });

  test.for(['application/pdf', 'text/csv', 'image/tiff', 'application/octet-stream', 'multipart/x-mixed-replace'])(
    '%s is refused, as no page',
    async (type) => {
      await using server = await serve({ '/': send('x', { 'content-type': type }) });
      expect(await openClient().visit(server.url)).toMatchObject({ status: 'failed', code: 'unsupported-content' });
    },
  );

  test.for(['', 'garbage', '*/*', 'unknown/unknown', 'application/unknown; charset=x'])(
    'a type that says nothing is looked into: "%s"',
    async (type) => {
      expect(await askedBy(send('<img src=/a>', { 'content-type': type }))).toEqual(['/a']);
    },
  );

  test.for([
    ['inline', true],
    ['INLINE; filename=x.html', true],
    ['filename=x.html', true],
    ['', true],
    ['attachment', false],
    ['Attachment; filename=x.html', false],
    ['form-data; name=x', false],
  ] as const)('with the disposition "%s" is shown: %s', async ([disposition, isShown]) => {
    await using server = await serve({
      '/': send('x', { 'content-type': 'text/html', 'content-disposition': disposition }),
    });
    expect(await openClient().visit(server.url)).toMatchObject(
      isShown ? { status: 'ok' } : { status: 'failed', code: 'unsupported-content' },
    );
  });
});

test('a page of more frames than a Snapshot takes is too large, and not measured without the rest', async () => {
  await using server = await serve({ '/': send('<iframe srcdoc="x"></iframe>'.repeat(10_001)) });
  expect(await openClient().visit(server.url)).toMatchObject({
    status: 'failed',
    code: 'too-large',
    detail: 'The page has more than 10000 frames',
  });
});

describe('an encoding', () => {
  test('of a query is that of its page, and of a path always UTF-8', async () => {
    const page = Buffer.from('<img src="/\u00fc?q=\u00fc">', 'latin1');
    expect(await askedBy(send(page))).toEqual(['/%C3%BC?q=%FC']);
  });

  test('is by the mark before the header, and by the header before the page', async () => {
    const marked = Buffer.from('\ufeff<img src="/a?ü">', 'utf16le');
    expect(await askedBy(send(marked, { 'content-type': 'text/html; charset=utf-8' }))).toEqual(['/a?%C3%BC']);
    const page = Buffer.from('<meta charset=windows-1252><img src="/a?ü">');
    expect(await askedBy(send(page, { 'content-type': 'text/html; charset=utf-8' }))).toEqual(['/a?%C3%BC']);
  });

  test('is not read from a comment, and a page that says UTF-16 of itself is UTF-8', async () => {
    const page = Buffer.from('<!-- <meta charset=koi8-r> --><meta charset=utf-16><img src="/a?ü">');
    expect(await askedBy(send(page))).toEqual(['/a?%C3%BC']);
  });

  test('of a style sheet is by its mark', async () => {
    const sheet = Buffer.from('\ufeffp { background: url(/b) }', 'utf16le');
    const asked = await askedBy('<link rel=stylesheet href=/s.css><p>x', {
      '/s.css': send(sheet, { 'content-type': 'text/css' }),
    });
    expect(asked).toEqual(['/s.css', '/b']);
  });
});

describe('an address', () => {
  test('in CSS that is empty, or a fragment alone, is not fetched', async () => {
    const page = '<style>p { background: url(""); mask: url(#m) } </style><p style="background: url(#x)">x';
    expect(await askedBy(page)).toEqual([]);
  });

  test('may have blanks, backslashes and a fragment', async () => {
    expect(await askedBy('<img src=" \\a b\\c#d ">')).toEqual(['/a%20b/c']);
  });

  test('under localhost is this machine, and a port of another service is refused', async () => {
    await using server = await serve({ '/': 'x' });
    const client = openClient();
    expect(await client.visit(`http://bücher.localhost:${server.port}/`)).toMatchObject({ status: 'ok' });
    expect(await client.visit('http://127.0.0.1:6000/')).toMatchObject({ code: 'connection-failed' });
  });
});

describe('a head', () => {
  test('names preloads in Link, of which a comma may be in quotation marks', async () => {
    const link =
      '</a.css>; rel=preload; as=style, </b>; title="x, y"; rel="preload"; as=image, </no>; rel=prefetch, </c.css>; rel=stylesheet';
    expect(await askedBy(send('x', { 'content-type': 'text/html', link }))).toEqual(['/a.css', '/b']);
  });

  test('with an empty Location, or 300, is no redirect; bytes of one that are not ASCII are sent on', async () => {
    const redirect = (status: number, location: string): Answer =>
      send('x', { 'content-type': 'text/html', location }, status);
    await using server = await serve({
      '/empty': redirect(302, ''),
      '/choices': redirect(300, '/no'),
      '/latin': redirect(302, '/caf\u00e9#x'),
      '/caf%E9': 'x',
    });
    for (const path of ['/empty', '/choices', '/latin'])
      expect(await openClient().visit(server.url + path), path).toMatchObject({ status: 'ok' });
    expect(server.asked).toEqual(['/empty', '/choices', '/latin', '/caf%E9']);
  });
});

test('a redirect is followed before its body has come', async () => {
  await using server = await serve({
    '/': (response) =>
      void response.writeHead(302, { location: '/there', 'content-length': '1000' }).write('the rest never comes'),
    '/there': '<img src=/a>',
    '/a': (response) =>
      void response.writeHead(301, { location: '/b', 'transfer-encoding': 'chunked' }).write('nor here'),
    '/b': send('x', { 'content-type': 'image/png' }),
  });
  const { requests, settled } = await load(openClient(), server.url);
  expect(settled).toBe(true);
  expect(requests.map(({ url, status, failure }) => [new URL(url).pathname, status, failure])).toEqual([
    ['/', 302, null],
    ['/there', 200, null],
    ['/a', 301, null],
    ['/b', 200, null],
  ]);
  expect(requests.every(({ endEpochMs, receivedBytes }) => endEpochMs !== null && receivedBytes! > 0)).toBe(true);
});

describe('a field that comes twice', () => {
  const answer = (fields: readonly string[], body: string | Buffer = '<img src="/a?\u00fc">') =>
    Buffer.concat([
      Buffer.from(['HTTP/1.1 200 OK', ...fields, 'Connection: close', '', ''].join('\r\n')),
      Buffer.from(body),
    ]);
  /** The page answers so, and all else is 404. */
  const serveRaw = (page: Buffer, others: Record<string, Buffer> = {}) =>
    serveTcp((socket) =>
      socket.once('data', (data) => {
        const [, path = ''] = data.toString().split(' ');
        socket.end(path === '/' ? page : (others[path] ?? 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'));
      }),
    );
  const addressesOf = async (server: { url: string }, client = openClient()) =>
    (await load(client, `${server.url}/`)).requests.map(({ url, failure }) => failure ?? url.replace(server.url, ''));

  test('names the type by the last, and the encoding by any of the same type', async () => {
    const html = ['Content-Type: text/html; charset=windows-1252', 'Content-Type: text/html'];
    await using server = await serveRaw(
      answer(['Content-Type: text/plain', ...html], Buffer.from('<img src="/a?\u00fc">', 'latin1')),
    );
    expect(await addressesOf(server)).toEqual(['/', '/a?%FC']);
  });

  test('names codings one upon the other', async () => {
    const coded = gzipSync(gzipSync('<img src=/a>'));
    const fields = ['Content-Type: text/html', 'Content-Encoding: gzip', 'Content-Encoding: gzip'];
    await using server = await serveRaw(answer(fields, coded));
    expect(await addressesOf(server)).toEqual(['/', '/a']);
  });

  test('is read by the cache of a warm Pass as one list', async () => {
    const fields = [
      'Content-Type: text/html',
      'Cache-Control: private',
      'Cache-Control: max-age=1000',
      'Vary: a',
      'Vary: b',
    ];
    await using server = await serveRaw(answer(fields, '<p>x'));
    const client = openClient({ pageLoad: { cache: 'warm' } });
    await load(client, `${server.url}/`);
    expect(await load(client, `${server.url}/`)).toMatchObject({ requests: [{ fromCache: true, failure: null }] });
  });

  test.for([
    ['Location: /a', 'Location: /b'],
    ['Content-Disposition: inline', 'Content-Disposition: attachment'],
  ])('is refused where the two could mean two things: %s', async (fields) => {
    await using server = await serveRaw(answer(fields));
    expect(await openClient().visit(`${server.url}/`)).toMatchObject({ status: 'failed', code: 'unsupported-content' });
  });

  test('leads to the one address that both name', async () => {
    const redirect = Buffer.from('HTTP/1.1 302 Found\r\nLocation: /b\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n');
    await using server = await serveRaw(redirect, { '/b': answer(['Content-Type: text/html'], '<p>x') });
    expect(await addressesOf(server)).toEqual(['/', '/b']);
  });
});

describe('a coding', () => {
  const page = '<img src=/a>';
  test.for([
    ['deflate', deflateSync(page)],
    ['deflate', deflateRawSync(page)],
    ['unknown', Buffer.from(page)],
    ['gzip, deflate', deflateRawSync(gzipSync(page))],
  ] as const)('%s is undone', async ([coding, body]) => {
    expect(await askedBy(send(body, { 'content-type': 'text/html', 'content-encoding': coding }))).toEqual(['/a']);
  });

  test('that ends too early shows what came, and one of nothing shows nothing', async () => {
    const long = gzipSync(`${page}${'<p>text</p>'.repeat(1000)}`);
    const cut = long.subarray(0, long.length - 12);
    expect(await askedBy(send(cut, { 'content-type': 'text/html', 'content-encoding': 'gzip' }))).toEqual(['/a']);
    const asked = await askedBy('<link rel=stylesheet href=/s.css>', {
      '/s.css': send('', { 'content-type': 'text/css', 'content-encoding': 'gzip' }),
    });
    expect(asked).toEqual(['/s.css']);
  });
});

describe('an end', () => {
  test.for([
    ['a body shorter than its length', 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\n<p>x'],
    [
      'a chunked body without its end',
      'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n<p>x\r\n',
    ],
    ['nothing at all', ''],
  ] as const)('%s is a connection that was closed', async ([, bytes]) => {
    await using server = await serveTcp((socket) => socket.once('data', () => socket.end(bytes)));
    expect(await openClient().visit(server.url)).toMatchObject({ status: 'failed', code: 'connection-reset' });
  });

  test.for([
    ['a status of 304 that was not asked for', 'HTTP/1.1 304 Not Modified\r\n\r\n', 'empty-response'],
    ['half a head', 'HTTP/1.1 200 OK\r\nContent-Ty', 'empty-response'],
    ['no head', '<p>x', 'unsupported-content'],
  ] as const)('%s is named as in browsers', async ([, bytes, code]) => {
    await using server = await serveTcp((socket) => socket.once('data', () => socket.end(bytes)));
    expect(await openClient().visit(server.url)).toMatchObject({ status: 'failed', code });
  });

  test('without a length is that of the connection', async () => {
    await using server = await serveTcp((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>x')),
    );
    expect(await openClient().visit(server.url)).toMatchObject({ status: 'ok', snapshot: { settled: true } });
  });
});
