import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { connect as connectTcp, createServer as createTcpServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LeafCertificates } from '#httpep/remote/tls/tls-ending.ts';
import { HeldTime } from '#tests/support/held-time.ts';
import { createAuthority } from '#testbed/origin/certificates/certificate-authority.ts';
import { issueCertificate } from '#testbed/origin/certificates/issue-certificate.ts';
import { startOrigin, hashPublicKey } from '#testbed/origin/start-origin.ts';
import { askByTls, openTunnel } from '../support/ask-by-tls.ts';
import { startTestGround, startTestRemote } from '../support/start-pair.ts';

let origin: Awaited<ReturnType<typeof startOrigin>>;
let leaves: LeafCertificates;

beforeAll(async () => {
  origin = await startOrigin();
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  leaves = await LeafCertificates.open(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
});
afterAll(() => origin.close());

async function startPair(trustedKeys: string[], options: Parameters<typeof startTestRemote>[1] = {}) {
  const ground = await startTestGround({ trustedKeys });
  const remote = await startTestRemote(ground.port, { leaves, ...options });
  return {
    remote,
    port: remote.port,
    ground,
    async [Symbol.asyncDispose]() {
      await remote[Symbol.asyncDispose]();
      await ground[Symbol.asyncDispose]();
    },
  };
}

const basic = (text: string) => ({ 'proxy-authorization': `Basic ${Buffer.from(text).toString('base64')}` });

test('TLS ends at the proxy: pages over https are fetched ahead as others, and are what they are directly', async () => {
  await using pair = await startPair([origin.trustedKey]);
  await using direct = await startPair([], { leaves: null });
  const url = `${origin.httpsUrl}/images/3`;
  const headers = { accept: 'text/html', 'sec-fetch-dest': 'document' };
  const page = await askByTls(url, { proxyPort: pair.port, headers });
  expect(page).toMatchObject({ status: 200, key: leaves.trustedKey, isForHost: true, protocol: 'http/1.1' });
  const untouched = await askByTls(url, { proxyPort: direct.port, headers });
  expect(untouched.key).not.toBe(leaves.trustedKey);
  expect(page.body).toEqual(untouched.body);
  await expect.poll(() => pair.remote.pushes.promised).toBe(3);
  for (const [, path] of String(page.body).matchAll(/<img[^>]* src="?([^" >]+)/g)) {
    const image = { headers: { 'sec-fetch-dest': 'image' } };
    const address = new URL(path!, url).href;
    const { body } = await askByTls(address, { proxyPort: pair.port, ...image });
    expect(body).toEqual((await askByTls(address, { proxyPort: direct.port, ...image })).body);
  }
  expect(pair.remote.pushes).toMatchObject({ promised: 3, used: 3 });
});

test('who connects is who asks: users of one address, distinguished by CONNECT, have a store each', async () => {
  await using pair = await startPair([origin.trustedKey]);
  const ask = (path: string, user: string) =>
    askByTls(`${origin.httpsUrl}${path}`, {
      proxyPort: pair.port,
      headers: { accept: 'text/html', ...basic('eve:x') },
      connectHeaders: basic(user),
    });
  await ask('/images/1', 'ann:x');
  await ask('/images/1', 'bob:x');
  const requests = pair.remote.counters.readRows().filter(({ kind }) => kind === 'user');
  expect(requests.map(({ sums }) => [sums.connects, sums.requests])).toEqual([
    [1, 1],
    [1, 1],
  ]);
});

test('a web server that cannot be trusted is a 502, and is sent nothing', async () => {
  const now = Date.now();
  const [trusted, other] = [await createAuthority(now), await createAuthority(now)];
  const { cert, key } = await issueCertificate(other, { hosts: ['127.0.0.1'], nowEpochMs: now });
  const [leaf] = cert.split('\n-----BEGIN', 1) as [string];
  let requestCount = 0;
  // It shows the trusted authority's certificate, which has not signed its own.
  const server = createServer({ key, cert: `${leaf}\n${trusted.certificate}` }, (_, response) => {
    requestCount += 1;
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await using trusting = await startPair([hashPublicKey(trusted.certificate)]);
  await using strict = await startPair([]);
  for (const { port } of [trusting, strict]) {
    const { status, headers, body } = await askByTls(url, { proxyPort: port });
    expect([status, headers['proxy-status']]).toEqual([502, expect.stringContaining('httpep; error=')]);
    expect(String(body)).toMatch(/certificate/);
  }
  expect(requestCount).toBe(0);
  await using right = await startPair([hashPublicKey(other.certificate)]);
  expect((await askByTls(url, { proxyPort: right.port })).status).toBe(502);
  server.setSecureContext({ key, cert });
  expect((await askByTls(url, { proxyPort: right.port })).status).toBe(200);
  server.close();
});

test('OPTIONS of a whole host reaches it (RFC 9110, 9.3.7)', async () => {
  const now = Date.now();
  const authority = await createAuthority(now);
  const server = createServer(
    await issueCertificate(authority, { hosts: ['127.0.0.1'], nowEpochMs: now }),
    ({ method, url }, response) => response.end(`${method!} ${url!}`),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  await using pair = await startPair([hashPublicKey(authority.certificate)]);
  const socket = await openTunnel(`127.0.0.1:${(server.address() as AddressInfo).port}`, pair.port);
  const secure = connect({ socket, rejectUnauthorized: false });
  secure.write('OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  expect(await text(secure)).toMatch(/^HTTP\/1\.1 200 [^]*OPTIONS \*/);
  server.close();
});

test('what is not TLS passes untouched', async () => {
  await using pair = await startPair([]);
  const socket = await openTunnel(new URL(origin.httpUrl).host, pair.port);
  socket.write('GET /images/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1.1 200 OK\r\n/);
});

test('a server that speaks first is heard, though the browser says nothing', async () => {
  const server = createTcpServer((socket) => socket.end('220 mail.test\r\n'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const time = new HeldTime();
  await using pair = await startPair([], { time });
  const socket = await openTunnel(`127.0.0.1:${(server.address() as AddressInfo).port}`, pair.port);
  await time.pass(10_000);
  expect(await text(socket)).toBe('220 mail.test\r\n');
  server.close();
});

test('a browser that only begins to greet loses its connection', async () => {
  const time = new HeldTime();
  await using pair = await startPair([], { time });
  const socket = await openTunnel('127.0.0.1:9', pair.port);
  socket.write(Buffer.of(0x16));
  socket.resume();
  const look = async () => {
    await time.pass(1000);
    return socket.destroyed;
  };
  await expect.poll(look, { interval: 5 }).toBe(true);
});

test('a head that does not come in time is a 408, by TLS and without; one that comes in time is answered', async () => {
  const time = new HeldTime();
  await using pair = await startPair([], { time });
  const socket = await openTunnel(new URL(origin.httpsUrl).host, pair.port);
  const secure = connect({ socket, rejectUnauthorized: false });
  await once(secure, 'secureConnect');
  const plain = connectTcp(pair.port, '127.0.0.1');
  for (const each of [secure, plain]) each.write('GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\nX: ');
  const refused = Promise.all([text(secure), text(plain)]);
  let isOver = false;
  void refused.then(() => (isOver = true));
  await expect.poll(async () => (await time.pass(60_000), isOver), { interval: 5 }).toBe(true);
  expect(await refused).toEqual([expect.stringMatching(/^HTTP\/1.1 408 /), expect.stringMatching(/^HTTP\/1.1 408 /)]);
  const complete = connectTcp(pair.port, '127.0.0.1');
  complete.write(`GET ${origin.httpUrl}/images/1 HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n`);
  setImmediate(() => complete.write('\r\n'));
  expect(await text(complete)).toMatch(/^HTTP\/1.1 200 /);
});

test('a browser that has greeted keeps its connection, until the proxy stops', async () => {
  const ground = await startTestGround();
  const time = new HeldTime();
  const remote = await startTestRemote(ground.port, { leaves, time });
  const socket = await openTunnel('127.0.0.1:9', remote.port);
  const secure = connect({ socket, rejectUnauthorized: false });
  await once(secure, 'secureConnect');
  await time.pass(50_000);
  expect(secure.destroyed).toBe(false);
  const closed = once(socket, 'close');
  await remote[Symbol.asyncDispose]();
  await closed;
  await ground[Symbol.asyncDispose]();
});
