import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { beforeEach, expect, test } from 'vitest';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { askHttp2, askOrigin, openHttp2 } from './ask-origin.ts';
import { holdForAll } from '#tests/support/hold.ts';

const origin = holdForAll(() => startOrigin());
beforeEach(() => origin.truth.clear());

/** What a client sees that asks and then only listens. */
async function listen(url: string): Promise<{ receivedBytes: number; errorCode: string | null }> {
  const { protocol, hostname, port, pathname } = new URL(url);
  const target = { host: hostname, port: Number(port) };
  const socket: Socket =
    protocol === 'https:' ? connectTls({ ...target, ca: origin.authorityCertificate }) : connectTcp(target);
  let receivedBytes = 0;
  let errorCode: string | null = null;
  socket.on('data', (data) => (receivedBytes += data.length));
  socket.on('error', (error: NodeJS.ErrnoException) => (errorCode = error.code ?? error.message));
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: origin\r\n\r\n`);
  await once(socket, 'close').catch(() => once(socket, 'close'));
  return { receivedBytes, errorCode };
}

const listeners = ['httpUrl', 'httpsUrl'] as const;

test.each(listeners)('/reset on %s is a TCP reset without a byte of answer', async (listener) => {
  expect(await listen(`${origin[listener]}/reset`)).toEqual({ receivedBytes: 0, errorCode: 'ECONNRESET' });
  expect(origin.truth.requests()[0]).toMatchObject({ outcome: 'reset', status: null, firstByteEpochMs: null });
});

test.each(listeners)(
  '/empty on %s closes the connection in the regular way without a byte of answer',
  async (listener) => {
    expect(await listen(`${origin[listener]}/empty`)).toEqual({ receivedBytes: 0, errorCode: null });
    expect(origin.truth.requests()[0]).toMatchObject({ outcome: 'closed', status: null });
  },
);

test('/reset over HTTP/2 takes the whole connection with it', async () => {
  const session = openHttp2(origin);
  session.on('error', () => session.destroy());
  await expect(askHttp2(session, '/reset')).rejects.toThrow();
  await expect.poll(() => session.destroyed).toBe(true);
  expect(origin.truth.requests()[0]).toMatchObject({ outcome: 'reset' });
});

test('a broken image resets its connection over HTTP/1.1, and its stream alone over HTTP/2', async () => {
  const { receivedBytes, errorCode } = await listen(`${origin.httpUrl}/broken-image`);
  expect(receivedBytes).toBeGreaterThan(1000);
  expect(errorCode).toBe('ECONNRESET');

  const session = openHttp2(origin);
  try {
    const other = askHttp2(session, '/image/2.jpg?counts=viewport&delayMs=100');
    await expect(askHttp2(session, '/broken-image?counts=viewport')).rejects.toThrow(/NGHTTP2_INTERNAL_ERROR/);
    expect((await other).status).toBe(200);
  } finally {
    session.close();
  }
  expect(
    origin.truth
      .requests()
      .map((request) => request.outcome)
      .sort(),
  ).toEqual(['complete', 'reset', 'reset']);
});

test('/hang stays without an answer until the client has had enough', async () => {
  const socket = connectTcp({ host: '127.0.0.1', port: Number(new URL(origin.httpUrl).port) });
  socket.write('GET /hang HTTP/1.1\r\nHost: origin\r\n\r\n');
  await expect.poll(() => origin.truth.requests()).toHaveLength(1);
  expect(origin.truth.requests()[0]).toMatchObject({ outcome: 'in-flight', status: null });
  socket.destroy();
  await expect.poll(() => origin.truth.requests()[0]?.outcome).toBe('abandoned');
});

test('/redirect leads to its target after so many hops, and keeps the query', async () => {
  const response = await fetch(`${origin.httpUrl}/redirect/3/to/images/0?visit=hops`);
  expect(response.status).toBe(200);
  expect(origin.truth.requests('hops').map(({ path, status }) => [path, status])).toEqual([
    ['/redirect/3/to/images/0', 302],
    ['/redirect/2/to/images/0', 302],
    ['/redirect/1/to/images/0', 302],
    ['/images/0', 200],
  ]);
});

test('/redirect never leads to another host', async () => {
  const { headers } = await askOrigin(origin, `${origin.httpUrl}/redirect/1/to//other.example/`);
  expect(headers.location).toBe('/other.example');
});

test('/redirect-loop leads to itself', async () => {
  const { status, headers } = await askOrigin(origin, `${origin.httpUrl}/redirect-loop?visit=v`);
  expect([status, headers.location]).toEqual([302, '/redirect-loop?visit=v']);
});

test.each([200, 204, 304, 404, 500, 503, 599])('/status/%i has that status over both protocols', async (status) => {
  expect((await askOrigin(origin, `${origin.httpUrl}/status/${status}`)).status).toBe(status);
  const session = openHttp2(origin);
  try {
    expect((await askHttp2(session, `/status/${status}`)).status).toBe(status);
  } finally {
    session.close();
  }
});

test('/auth asks for a password, /download for a place to save', async () => {
  expect(await askOrigin(origin, `${origin.httpUrl}/auth`)).toMatchObject({
    status: 401,
    headers: { 'www-authenticate': /^Basic / },
  });
  const { headers } = await askOrigin(origin, `${origin.httpUrl}/download`);
  expect(headers['content-disposition']).toMatch(/^attachment/);
});

test.each([
  ['/image/1.jpg?delayMs=-1', /delayMs must be a whole number/],
  ['/image/1.jpg?delayMs=1000000000', /delayMs must be at most/],
  ['/image/1.jpg?delayMs=soon', /delayMs must be a whole number/],
  ['/image/1.jpg?delayMs=1e9', /delayMs must be a whole number/],
  ['/image/1.jpg?sizeBytes=10', /sizeBytes must be at least/],
  ['/image/1.jpg?chunks=0', /chunks must be at least 1/],
  ['/image/0.jpg', /image’s number must be/],
  ['/image/1.jpg?counts=perhaps', /counts must be one of/],
  ['/image/1.jpg?visit=%22%3E%3Cscript%3E', /visit must be/],
  ['/images/1001', /number of images must be a whole number from 0 to 1000, not "1001"/],
  ['/images/10?sizeBytes=1000001', /sizeBytes of a page must be a whole number from 200 to 1000000, not "1000001"/],
  ['/page/0x5000', /number of objects must be a whole number from 1 to 1000, not "0"/],
  ['/page/1001x5000', /number of objects must be a whole number from 1 to 1000, not "1001"/],
  ['/page/10x199', /size of an object in bytes must be a whole number from 200 to 1000000, not "199"/],
  ['/page/10x1000001', /size of an object in bytes must be a whole number from 200 to 1000000, not "1000001"/],
  ['/page/10', /must look like \/page\/100x5000, not "\/page\/10"/],
  ['/page', /must look like \/page\/100x5000/],
  ['/page/1x2x3', /must look like/],
  ['/page/-1x5000', /number of objects/],
  ['/icons/0', /number of icons must be a whole number from 1 to 1000, not "0"/],
  ['/icons/1001', /number of icons/],
  ['/images/-1', /number of images/],
  ['/images', /number of images/],
  ['/hard-cases?last=nothing', /last must be one of image,/],
  ['/status/99', /status must be/],
  ['/status/abc', /status must be/],
  ['/redirect/1000/to/images/1', /number of redirects/],
  ['/redirect/0/to/images/1', /number of redirects/],
  ['/redirect/1/images/1', /must look like/],
])('%s is answered with 400 and words', async (path, words) => {
  const { status, body } = await askOrigin(origin, origin.httpUrl + path);
  expect(status).toBe(400);
  expect(body.toString()).toMatch(words);
});

test('an unknown path, a strange path and a strange method are reported', async () => {
  expect((await askOrigin(origin, `${origin.httpUrl}/nowhere`)).status).toBe(404);
  expect((await askOrigin(origin, `${origin.httpUrl}/hard-cases/nothing`)).status).toBe(404);
  expect((await askOrigin(origin, `${origin.httpUrl}//@:99999/%zz`)).status).toBe(404);
  expect((await fetch(`${origin.httpUrl}/images/1`, { method: 'POST', body: 'x' })).status).toBe(405);
});

test.each(['http://origin.test/images/1', '*'])(
  'the request target %s, which is no path, is answered with 400 and words',
  async (target) => {
    const { hostname, port } = new URL(origin.httpUrl);
    const socket = connectTcp({ host: hostname, port: Number(port) });
    socket.write(`GET ${target} HTTP/1.1\r\nHost: origin\r\nConnection: close\r\n\r\n`);
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain(`"${target}" is not a path of this origin`);
  },
);

test.each(['httpUrl', 'httpsUrl', 'http2Url'] as const)(
  'garbage and clients that vanish do no harm on %s',
  async (listener) => {
    const { hostname, port, protocol } = new URL(origin[listener]);
    const target = { host: hostname, port: Number(port) };
    const vanish = async (bytes: string, open: () => Socket) => {
      const socket = open();
      // Whether the origin or this client is first to break off is all the same.
      socket.on('error', (error) => expect(error).toHaveProperty('code'));
      socket.write(bytes, () => socket.destroy());
      await new Promise((resolve) => socket.once('close', resolve));
    };
    const openTcp = () => connectTcp(target);
    const openTls = () =>
      protocol === 'https:' ? connectTls({ ...target, ca: origin.authorityCertificate }) : connectTcp(target);
    const request = 'GET /image/1.jpg?counts=viewport&chunks=5&chunkGapMs=20 HTTP/1.1\r\nHost: origin\r\n\r\n';
    const attempts = [
      '',
      'garbage \x00\x01\r\n\r\n',
      '\x16\x03\x01\x02\x00',
      request,
      request.slice(0, 20),
      request.repeat(3),
    ];
    await Promise.all(attempts.flatMap((bytes) => [vanish(bytes, openTcp), vanish(bytes, openTls)]));

    expect((await askOrigin(origin, `${origin[listener]}/images/0`)).status).toBe(200);
    await expect.poll(() => origin.truth.requests().filter((logged) => logged.outcome === 'in-flight')).toEqual([]);
  },
);
