import { once } from 'node:events';
import { request as sendRequest, type IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { codings } from '#httpep/exchange/body-coder.ts';
import { SharedPlaces } from '#httpep/ground/compress/compression.ts';
import { startSite, type SiteAnswers } from '../support/start-site.ts';

const words = Array.from({ length: 20_000 }, (_, n) => `word ${n % 97} of ${n}\n`).join('');

const answers: SiteAnswers = {
  '/text': (response) =>
    response
      .writeHead(200, { 'Content-Type': 'text/html', 'Content-Length': Buffer.byteLength(words), ETag: '"a"' })
      .end(words),
  '/json': (response, { method }) => {
    const trailer = method === 'GET' && { Trailer: 'X-Sum' };
    response.writeHead(201, { 'Content-Type': 'application/ld+json', ...trailer });
    for (let place = 0; place < words.length; place += 7777) response.write(words.slice(place, place + 7777));
    response.addTrailers({ 'X-Sum': '1' });
    response.end();
  },
  '/gzip': (response) =>
    response.writeHead(200, { 'Content-Type': 'text/css', 'Content-Encoding': 'gzip' }).end(gzipSync(words)),
  '/empty': (response) => response.writeHead(200, { 'Content-Type': 'text/plain' }).end(),
  '/nothing': (response) => response.writeHead(204, { 'Content-Type': 'text/plain' }).end(),
  '/part': (response) =>
    response
      .writeHead(206, { 'Content-Type': 'text/plain', 'Content-Range': 'bytes 0-9/20', 'Content-Length': 10 })
      .end('0123456789'),
  '/broken': (response) => {
    response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': 1_000_000 });
    response.write(words.slice(0, 5000), () => response.socket?.destroy());
  },
  '/bytes': (response) => response.writeHead(200, { 'Content-Type': 'application/wasm' }).end(words),
};

describe.each(codings)('by %s', (text) => {
  const start = (more: SiteAnswers = {}) => startSite({ ...answers, ...more }, { compression: { text, images: null } });

  test('text is shorter in the tunnel, and what the browser gets is byte for byte what it gets directly', async () => {
    await using site = await start();
    const before = site.tunnelBytes();
    for (const path of ['/text', '/json', '/empty', '/nothing', '/part', '/broken', '/missing', '/gzip']) {
      expect(await site.proxied(path), path).toEqual(await site.direct(path));
      const head = { method: 'HEAD' };
      if (path !== '/broken') expect(await site.proxied(path, head), path).toEqual(await site.direct(path, head));
    }
    // Three of them have all the words, in 370 kB.
    expect(site.tunnelBytes() - before).toBeLessThan(words.length / 2);
    expect(words.length).toBeGreaterThan(300_000);
  });

  test('what is no text passes as it is', async () => {
    await using site = await start();
    const before = site.tunnelBytes();
    expect(await site.proxied('/bytes')).toEqual(await site.direct('/bytes'));
    expect(site.tunnelBytes() - before).toBeGreaterThan(words.length);
  });

  test('each piece is handed on when it comes, also of an answer that does not end', async () => {
    let more: (piece: string) => unknown = () => undefined;
    await using site = await start({
      '/events': (response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 0\n\n');
        more = (piece) => response.write(piece);
      },
    });
    const request = sendRequest({ port: site.remote.port, path: `${site.url}/events`, agent: false });
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    for (let event = 0; event < 3; event++) {
      expect(String(((await once(response, 'data')) as [Buffer])[0])).toBe(`data: ${event}\n\n`);
      more(`data: ${event + 1}\n\n`);
    }
    request.destroy();
  });
});

test('without compression the same bytes pass', async () => {
  await using site = await startSite(answers, { compression: { text: null, images: null } });
  const before = site.tunnelBytes();
  expect(await site.proxied('/text')).toEqual(await site.direct('/text'));
  expect(site.tunnelBytes() - before).toBeGreaterThan(words.length);
});

test('of the places for compression, a user has two thirds at most', () => {
  const places = new SharedPlaces(9);
  const take = (user: string) => {
    const taken: Disposable[] = [];
    for (let place = places.take(user); place !== null; place = places.take(user)) taken.push(place);
    return taken;
  };
  const [ann, bob, cid] = [take('ann'), take('bob'), take('cid')];
  expect([ann.length, bob.length, cid.length]).toEqual([6, 2, 1]);
  for (const place of ann) place[Symbol.dispose]();
  expect(take('bob')).toHaveLength(4);
});
