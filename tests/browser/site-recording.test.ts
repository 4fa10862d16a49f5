import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { SiteExchange } from '#core/site/site.ts';
import { checkBodies } from '#site/open-site.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { openSession } from './support/open-session.ts';
import { recordForTest } from './support/record-origin.ts';
import { noIcon, servePages } from './support/serve-pages.ts';

const pathOf = ({ url }: Pick<SiteExchange, 'url'>) => `${new URL(url).pathname}${new URL(url).search}`;
const sorted = (lines: string[]) => lines.toSorted();

async function fetchDirectly(origin: Origin, url: string): Promise<string> {
  // What the origin serves is the same on all its listeners.
  const answer = await fetch(`${origin.httpUrl}${pathOf({ url })}`, { redirect: 'manual' });
  return createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex');
}

test('a recording has every object of its pages as the origin served it: URL, status, protocol and bytes', async () => {
  await using origin = await startOrigin();
  const pages = [{ url: `${origin.httpUrl}/images/8?visit=plain` }, { url: `${origin.http2Url}/hard-cases?visit=h2` }];
  await recordForTest(
    pages,
    { open: openSession, trustedKeys: [origin.trustedKey] },
    async ({ opened, incomplete }) => {
      const { site } = opened;
      await checkBodies(opened);
      // The warm-up loaded the same before.
      const all = origin.truth.requests();
      const served = all.slice(all.findLastIndex(({ url }) => url === pathOf(pages[0]!)));
      const seen = served.map(({ protocol, status, url }) => `${protocol} ${status} ${url}`);
      const recorded = site.exchanges.map((each) => `${each.protocol} ${each.status} ${pathOf(each)}`);
      // What counts for no latency, such as a stream of events, may be under way at the end of a visit.
      const isCounted = (line: string) => !line.includes('counts=none');
      const complete = served.flatMap(({ outcome }, index) => (outcome === 'complete' ? [seen[index]!] : []));
      expect(sorted(recorded.filter(isCounted))).toEqual(sorted(complete.filter(isCounted)));
      expect(recorded.filter((line) => !seen.includes(line))).toEqual([]);
      expect([...incomplete.keys()].filter((url) => pathOf({ url }).startsWith('/events'))).toHaveLength(1);
      expect(site.pages.map(({ title }) => title)).toEqual(['8 images', 'Hard cases']);
      expect(site.hosts.map(({ name }) => name).sort()).toEqual(['127.0.0.1', 'localhost']);
      const images = site.exchanges.filter(({ url }) => new URL(url).pathname.startsWith('/image/'));
      expect(images.length).toBeGreaterThan(8);
      const direct = await Promise.all(images.map(({ url }) => fetchDirectly(origin, url)));
      expect(images.map(({ body }) => body!.sha256)).toEqual(direct);
      for (const { thinkMs, receiveMs, startMs } of site.exchanges)
        expect([thinkMs, receiveMs, startMs].every((ms) => ms !== null && ms >= 0)).toBe(true);
    },
  );
});

test('bodies are kept as they crossed the network, with trailers, request bodies and initiators, and without secrets', async () => {
  const html = `${noIcon}<title>Shop</title><img src="/moved.png"><script src="/script.js"></script>`;
  const script =
    "fetch('/trailers').then(() => fetch('/post', { method: 'POST', body: 'order', headers: { authorization: 'SECRET' } }));";
  const compressed = gzipSync(script);
  await using server = await servePages({
    '/': (response) =>
      response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': ['a=SECRET', 'b=SECRET'] }).end(html),
    '/script.js': (response) =>
      response.writeHead(200, { 'content-type': 'text/javascript', 'content-encoding': 'gzip' }).end(compressed),
    '/moved.png': (response) => response.writeHead(302, { location: '/none.png' }).end(),
    '/trailers': (response) => {
      response.writeHead(200, { trailer: 'server-timing' });
      response.write('half');
      response.addTrailers({ 'server-timing': 'db;dur=53' });
      response.end('half');
    },
    '/post': (response) => response.writeHead(204, { 'alt-svc': 'h3=":443"; ma=60' }).end(),
  });
  await recordForTest([{ url: server.url }], { open: openSession, trustedKeys: [] }, async ({ opened, file }) => {
    const { site } = opened;
    const find = (name: string) => site.exchanges.find(({ url }) => url === `${server.url}${name}`)!;
    expect(sorted(site.exchanges.map((each) => `${each.method} ${each.status} ${pathOf(each)}`))).toEqual([
      'GET 200 /',
      'GET 200 /script.js',
      'GET 200 /trailers',
      'GET 302 /moved.png',
      'GET 404 /none.png',
      'POST 204 /post',
    ]);
    expect(gunzipSync(await buffer(opened.readBody(find('/script.js')))).toString()).toBe(script);
    expect(find('/script.js').body!.bytes).toBe(compressed.length);
    expect(find('/trailers')).toMatchObject({
      trailers: [['server-timing', 'db;dur=53']],
      initiatorUrl: `${server.url}/script.js`,
    });
    expect((await buffer(opened.readBody(find('/trailers')))).toString()).toBe('halfhalf');
    expect(find('/post').requestBodySha256).toBe(createHash('sha256').update('order').digest('hex'));
    expect(find('/post').body).toBeNull();
    expect(site.hosts).toMatchObject([{ name: '127.0.0.1', address: '127.0.0.1', protocols: ['h3', 'http/1.1'] }]);
    const opening = site.exchanges.filter(({ connectMs }) => connectMs !== null);
    expect(opening.length).toBe(new Set(site.exchanges.map(({ connection }) => connection)).size);
    expect(site.dropped).toEqual(
      expect.arrayContaining([
        { header: 'authorization', times: 1 },
        { header: 'set-cookie', times: 2 },
      ]),
    );
    expect((await readFile(file)).includes('SECRET')).toBe(false);
    expect(JSON.stringify(site)).not.toContain('SECRET');
  });
});

test('early hints are recorded with their links, and WebSockets by their addresses', async () => {
  await using origin = await startOrigin();
  const task = 'by=websocket&messages=1&payloadBytes=10&gapMs=1';
  const pages = [{ url: `${origin.http2Url}/images/4?earlyHints=50` }, { url: `${origin.httpUrl}/task/chat?${task}` }];
  await recordForTest(pages, { open: openSession, trustedKeys: [origin.trustedKey] }, ({ opened: { site } }) => {
    const { earlyHints } = site.exchanges.find(({ url }) => url === pages[0]!.url)!;
    expect(earlyHints).toMatchObject([{ links: [1, 2].map(() => expect.stringContaining('rel=preload') as string) }]);
    expect(site.pages.map(({ visits }) => visits[0]!.webSockets)).toEqual([
      undefined,
      [expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\//) as string],
    ]);
    return Promise.resolve();
  });
});

test('a page that cannot be loaded ends the recording, with the reason of its server', async () => {
  await using server = await servePages({ '/': noIcon });
  const record = (url: string) =>
    recordForTest([{ url }], { open: openSession, trustedKeys: [] }, () => Promise.reject(new Error('was recorded')));
  await expect(record(`http://127.0.0.1:${await findFreePort()}/`)).rejects.toMatchObject({
    code: 'recording-failed',
    message: expect.stringMatching(
      /^http:\/\/127\.0\.0\.1:\d+\/ cannot be recorded: .*ECONNREFUSED.* No file was written$/,
    ) as string,
  });
  await expect(record(`${server.url}/none`)).rejects.toMatchObject({
    message: expect.stringMatching(/404/) as string,
  });
  await using origin = await startOrigin();
  await expect(record(`${origin.http2Url}/images/1`)).rejects.toMatchObject({
    message: expect.stringMatching(/--trusted-key/) as string,
  });
});
