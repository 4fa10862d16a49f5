import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startSite } from '../support/start-site.ts';

const html = Buffer.from('<img src=/a>');

test.each([
  ['br', brotliCompressSync, '\n'],
  ['gzip', gzipSync, '\0'],
  ['deflate', deflateSync, '\n'],
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
