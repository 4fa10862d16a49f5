import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { BodyText } from '#httpep/ground/bundle/body-text.ts';
import { startSite } from '../support/start-site.ts';

const html = Buffer.from('<img src=/a>');

test.each([
  ['br', brotliCompressSync, '\n'],
  ['gzip', gzipSync, '\0'],
  ['deflate', deflateSync, '\n'],
  ['deflate', deflateRawSync, '\n'],
  ['zstd', zstdCompressSync, '\n'],
])(
  'a page by %s that has a byte too many ends, and what it names is fetched ahead',
  async (coding, compress, extra) => {
    const body = Buffer.concat([compress(html), Buffer.from(extra)]);
    await using site = await startSite({
      '/': (response) => response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': coding }).end(body),
      '/a': (response) => response.end('an image'),
    });
    const page = await site.proxied('/', { headers: { accept: 'text/html' } });
    expect(page).toMatchObject({ status: 200, body: body.toString('base64'), isBrokenOff: false });
    await expect.poll(() => site.remote.pushes.promised).toBe(1);
  },
);

test.each([
  ['br', brotliCompressSync],
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['zstd', zstdCompressSync],
])('a page by %s is read though it comes byte by byte', async (coding, compress) => {
  const read: Buffer[] = [];
  const text = new BodyText({ headers: ['Content-Encoding', coding] }, (bytes) => read.push(bytes));
  for (const byte of compress(html)) await text.write(Buffer.of(byte));
  await text.end();
  expect(Buffer.concat(read)).toEqual(html);
});

test.each(['constructor', 'compress', 'gzip, gzip'])('a page by %s passes as it came', async (coding) => {
  await using site = await startSite({
    '/': (response) => response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': coding }).end(html),
  });
  const page = await site.proxied('/', { headers: { accept: 'text/html' } });
  expect(page).toMatchObject({ status: 200, body: html.toString('base64'), isBrokenOff: false });
});

const middleBytes = 1_500_000;

test.each([
  ['unpacks to far more than it is', Buffer.alloc(middleBytes, 'x'), 1],
  [
    'has very many tags',
    Buffer.from(
      randomBytes(middleBytes / 10)
        .toString('hex')
        .replaceAll(/(.)/g, '<p>$1'),
    ),
    1,
  ],
  ['is long, and compressed as text is', Buffer.from(randomBytes(middleBytes / 2).toString('hex')), 2],
])('of a page that %s, what is named after 1.5 MB is fetched ahead %#', async (_, middle, promised) => {
  const body = gzipSync(Buffer.concat([html, middle, Buffer.from('<img src=/b>')]));
  const image = (response: ServerResponse) => response.end('an image');
  await using site = await startSite({
    '/': (response) => response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' }).end(body),
    '/a': image,
    '/b': image,
  });
  const page = await site.proxied('/', { headers: { accept: 'text/html' } });
  expect(page).toMatchObject({ status: 200, body: body.toString('base64'), isBrokenOff: false });
  await expect.poll(() => site.remote.pushes.promised).toBe(promised);
});

test.each([
  [23, 'read', [html]],
  [27, 'not read, as browsers refuse it', []],
])('zstd with a window of 2^%i bytes is %s', async (windowLog, _, expected) => {
  // A head, and one block that is not compressed. RFC 8878, 3.1.1.
  const head = Buffer.of(0x28, 0xb5, 0x2f, 0xfd, 0, (windowLog - 10) << 3, (html.length << 3) | 1, 0, 0);
  const read: Buffer[] = [];
  const text = new BodyText({ headers: ['Content-Encoding', 'zstd'] }, (bytes) => read.push(bytes));
  await text.write(Buffer.concat([head, html]));
  await text.end();
  expect(read).toEqual(expected);
});
