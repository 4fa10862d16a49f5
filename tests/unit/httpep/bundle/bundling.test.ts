import { once } from 'node:events';
import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { HeldTime } from '#tests/support/held-time.ts';
import { ask } from '../support/ask.ts';
import { startTestGround, startTestRemote } from '../support/start-pair.ts';

interface Asked {
  path: string;
  headers: IncomingMessage['headers'];
}

type Answers = Record<string, (response: ServerResponse, request: IncomingMessage) => unknown>;

/** A site whose answers the test gives, and what it was asked, in order. */
async function startSite(answers: Answers, remoteOptions: Parameters<typeof startTestRemote>[1] = {}) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    asked.push({ path: request.url!, headers: request.headers });
    response.sendDate = false;
    const answer = answers[request.url!];
    if (answer) answer(response, request);
    else response.end(`object ${request.url!}`);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const ground = await startTestGround();
  const remote = await startTestRemote(ground.port, remoteOptions);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const received: number[] = [];
  return {
    asked,
    /** Whether nothing has come by the tunnel since it was asked for the third time before. */
    isStill: () => {
      received.unshift(remote.counters.readRows().reduce((sum, { sums }) => sum + (sums.bytesReceived ?? 0), 0));
      return received.length > 3 && received[0] === received[3];
    },
    url,
    remote,
    paths: () => asked.map(({ path }) => path).sort(),
    /** As the browser of a user asks. */
    get: (path: string, headers: Record<string, string> = {}) => ask(`${url}${path}`, { headers }, remote.port),
    open: (headers: Record<string, string> = {}) =>
      ask(`${url}/`, { headers: { accept: 'text/html', ...headers } }, remote.port),
    async [Symbol.asyncDispose]() {
      await remote[Symbol.asyncDispose]();
      await ground[Symbol.asyncDispose]();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const html =
  (text: string, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(200, { 'Content-Type': 'text/html', ...headers }).end(text);
const css = (text: string) => (response: ServerResponse) =>
  response.writeHead(200, { 'Content-Type': 'text/css' }).end(text);
const bodyOf = ({ body }: { body: string }) => Buffer.from(body, 'base64').toString();
const basic = (text: string) => ({ 'proxy-authorization': `Basic ${Buffer.from(text).toString('base64')}` });

test('what a page needs is fetched once, before anybody asks: images, style sheets and what they name, frames, fonts', async () => {
  const names = '/a.png /b.png /c.css /d.png /e.css /f.png /g.woff2 /frame /h.png /moved /target /i.js'.split(' ');
  await using site = await startSite({
    '/': html(
      `<base href="/"><picture><source media=print srcset=no><source srcset="no 3x, b.png 1x"><img></picture>
      <img src=a.png><link rel=stylesheet href=c.css><iframe src=frame></iframe><img src=moved><script src=i.js></script><p>`,
    ),
    '/c.css': css(
      '@import "e.css"; @font-face { font-family: F; src: url(g.woff2) } p { font: 1px F; background: url(d.png) } i { background: url(no) }',
    ),
    '/e.css': css('body { background: url(f.png) }'),
    '/frame': html('<img src=h.png>'),
    '/moved': (response) => response.writeHead(302, { Location: '/target' }).end(),
  });
  await site.open();
  await expect.poll(site.paths).toEqual(['/', ...names].sort());
  await expect.poll(() => site.remote.pushes.promised).toBe(names.length);
  for (const name of names) await site.get(name);
  expect(site.paths()).toEqual(['/', ...names].sort());
  expect(site.remote.pushes).toEqual({ promised: names.length, used: names.length, unused: 0, unusedBytes: 0 });
});

test('each answer is used once: who asks again has a new one', async () => {
  await using site = await startSite({ '/': html('<img src=a>') });
  await site.open();
  await site.get('/a');
  await site.get('/a');
  expect(site.paths()).toEqual(['/', '/a', '/a']);
});

test('an answer that was held says how old it is, in seconds', async () => {
  const time = new HeldTime();
  const answers: Answers = {
    '/': html('<img src=/a>'),
    '/a': (response) => response.writeHead(200, { Age: '10' }).end('a'),
  };
  await using site = await startSite(answers, { time });
  await site.open();
  await expect.poll(() => site.remote.pushes.promised).toBe(1);
  await expect.poll(site.isStill).toBe(true);
  await time.pass(1600);
  const request = sendRequest({ port: site.remote.port, path: `${site.url}/a`, agent: false }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  expect([response.headers.age, site.remote.pushes.used]).toEqual(['11', 1]);
});

test('another user never gets what was fetched for one, also from the same address', async () => {
  await using site = await startSite({
    '/': html('<img src=/mine>'),
    '/mine': (response, { headers }) => response.end(`of ${headers.cookie ?? 'nobody'}`),
  });
  await site.open({ ...basic('ann:x'), cookie: 'id=ann' });
  await site.open({ ...basic('bob:x'), cookie: 'id=bob' });
  await expect.poll(() => site.remote.pushes.promised).toBe(2);
  expect(bodyOf(await site.get('/mine', { ...basic('eve:x'), cookie: 'id=ann' }))).toBe('of id=ann');
  expect(site.remote.pushes.used).toBe(0);
  expect(bodyOf(await site.get('/mine', { ...basic('bob:x'), cookie: 'id=bob' }))).toBe('of id=bob');
  expect(bodyOf(await site.get('/mine', { ...basic('ann:x'), cookie: 'id=ann' }))).toBe('of id=ann');
  expect(site.remote.pushes.used).toBe(2);
});

test('an object is fetched with the cookies that the browser would send, those that the page sets among them', async () => {
  await using site = await startSite({
    '/': (response) =>
      response
        .writeHead(200, [
          ...['Content-Type', 'text/html', 'Set-Cookie', 'new=1; Path=/', 'Set-Cookie', 'elsewhere=1; Path=/x'],
          ...['Set-Cookie', 'old=; Max-Age=0; Path=/', 'Set-Cookie', 'https=1; Secure; Domain=example.com'],
        ])
        .end('<img src=/a>'),
  });
  await site.open({ cookie: 'kept=1; old=1' });
  await expect.poll(() => site.asked.find(({ path }) => path === '/a')?.headers.cookie).toBe('kept=1; new=1');
  await site.get('/a', { cookie: 'kept=1; new=1' });
  expect(site.remote.pushes.used).toBe(1);
});

test.for<[string, Record<string, string>, Record<string, string>?]>([
  ['other cookies', { cookie: 'other=1' }],
  ['a password', { authorization: 'Basic eA==' }],
  ['an origin', { origin: 'http://other.test' }],
  ['a range', { range: 'bytes=0-1' }],
  ['a condition', { 'if-none-match': '"x"' }],
  ['what the answer varies by', { 'accept-language': 'fr' }, { Vary: 'Accept-Language' }],
  ['anything, where the answer varies by it', {}, { Vary: '*' }],
])('a request with %s goes to the web server', async ([, headers, answerHeaders = {}]) => {
  await using site = await startSite({
    '/': html('<img src=/a>'),
    '/a': (response, request) => response.writeHead(200, answerHeaders).end(JSON.stringify(request.headers['x-seen'])),
  });
  await site.open();
  await expect.poll(() => site.remote.pushes.promised).toBe(1);
  expect(bodyOf(await site.get('/a', { ...headers, 'x-seen': 'this one' }))).toBe('"this one"');
  expect(site.paths()).toEqual(['/', '/a', '/a']);
  await expect.poll(() => site.remote.pushes).toMatchObject({ used: 0, unused: 1 });
});

test('the first bytes of a page are not held up, and its first objects are fetched while it is still coming', async () => {
  let finish = () => undefined as unknown;
  await using site = await startSite({
    '/': (response) => {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).write('<img src=/early>');
      finish = () => response.end('<img src=/late>');
    },
  });
  const request = sendRequest({
    port: site.remote.port,
    path: `${site.url}/`,
    headers: { accept: 'text/html' },
    agent: false,
  });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const [first] = (await once(response, 'data')) as [Buffer];
  expect(String(first)).toBe('<img src=/early>');
  expect(bodyOf(await site.get('/early'))).toBe('object /early');
  expect(site.remote.pushes.used).toBe(1);
  finish();
  response.resume();
  await once(response, 'end');
  await expect.poll(site.paths).toEqual(['/', '/early', '/late']);
});

test('when the browser leaves a page, what was fetched for it is given up at both ends, and counted', async () => {
  const open = new Set<string>();
  await using site = await startSite({
    '/': (response) => {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).write('<img src=/endless><img src=/b>');
    },
    '/endless': (response, { url }) => {
      open.add(url!);
      response.on('close', () => open.delete(url!));
      response.write('x'.repeat(1000));
    },
  });
  const request = sendRequest({
    port: site.remote.port,
    path: `${site.url}/`,
    headers: { accept: 'text/html' },
    agent: false,
  });
  request.on('error', () => undefined);
  request.end();
  await expect.poll(() => [...open]).toEqual(['/endless']);
  await expect.poll(() => site.remote.pushes.promised).toBe(2);
  await expect.poll(site.isStill, { interval: 20 }).toBe(true);
  request.destroy();
  await expect.poll(() => [...open]).toEqual([]);
  expect(site.remote.pushes).toEqual({ promised: 2, used: 0, unused: 2, unusedBytes: 1000 + 'object /b'.length });
});

test('of the style sheets of a page, 1 MiB of each is read, and 4 MiB in all', async () => {
  const sheets = [900, 1100, 900, 900, 900, 900].map((kilobytes, index) => ({
    path: `/${index}.css`,
    text: `/*${'x'.repeat(kilobytes * 1024)}*/a{background:url(/in${index})}`,
  }));
  // Each imports the next one, so that the last one is read last.
  const texts = sheets.map(({ path, text }, index): [string, Answers[string]] => [
    path,
    css(`@import "${sheets[index + 1]?.path ?? '/last.css'}";${text}`),
  ]);
  await using site = await startSite({
    '/': html(
      '<a>x</a><link rel=stylesheet href=/0.css><link rel=stylesheet href=/2.css><link rel=stylesheet href=/3.css>',
    ),
    ...Object.fromEntries(texts),
  });
  await site.open();
  await expect.poll(() => site.isStill(), { interval: 50 }).toBe(true);
  expect(site.paths().filter((path) => path.startsWith('/in'))).toEqual(['/in0', '/in2', '/in3', '/in4']);
});

test('a script that asks for a page, a page that is prefetched, and one that is an error, bring nothing with them', async () => {
  await using site = await startSite({
    '/': html('<img src=/a>'),
    '/error': (response) => response.writeHead(500, { 'Content-Type': 'text/html' }).end('<img src=/a>'),
  });
  await site.get('/', { accept: '*/*' });
  await site.get('/', { accept: 'text/html', 'sec-fetch-dest': 'empty' });
  await site.open({ 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch;anonymous-client-ip' });
  await site.get('/error', { accept: 'text/html' });
  // Promises come within the answer: none can follow.
  await site.get('/last');
  expect(site.paths()).toEqual(['/', '/', '/', '/error', '/last']);
  expect(site.remote.pushes.promised).toBe(0);
  await site.open({ 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch;prerender' });
  await expect.poll(() => site.remote.pushes.promised).toBe(1);
});

test('an object that cannot be fetched, or is too long to guess, is asked for again', async () => {
  const long = Buffer.alloc(3_000_000, 'x');
  await using site = await startSite({
    '/': html('<img src=/gone><img src=/long><img src="http://127.0.0.1:9/refused">'),
    '/gone': (_, request) => request.socket.destroy(),
    '/long': (response) => response.writeHead(200, { 'Content-Length': long.length }).end(long),
  });
  await site.open();
  expect((await site.get('/gone')).status).toBe(502);
  expect(bodyOf(await site.get('/long'))).toHaveLength(long.length);
  expect((await ask('http://127.0.0.1:9/refused', {}, site.remote.port)).status).toBe(502);
  expect(site.remote.pushes).toMatchObject({ used: 0, unused: 3 });
});

test('a page has at most 200 objects fetched ahead, and its text is read up to a bound', async () => {
  const images = Array.from({ length: 300 }, (_, n) => `<img src=/${n}>`).join('');
  await using site = await startSite({ '/': html(images) });
  await site.open();
  await expect.poll(() => site.asked.length).toBe(201);
  expect(site.remote.pushes.promised).toBe(200);
  await site.get('/last');
  expect(site.asked).toHaveLength(202);
});
