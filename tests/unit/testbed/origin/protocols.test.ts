import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { beforeEach, expect, test } from 'vitest';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { askHttp2, askOrigin, openHttp2 } from './ask-origin.ts';
import { holdForAll } from '#tests/support/hold.ts';

const origin = holdForAll(() => startOrigin());
beforeEach(() => origin.truth.clear());

async function connectTls(url: string, options: ConnectionOptions): Promise<TLSSocket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), ca: origin.authorityCertificate, ...options });
  await once(socket, 'secureConnect');
  return socket;
}

const offersBoth = { ALPNProtocols: ['h2', 'http/1.1'] };

test('the plain listeners speak HTTP/1.1 without TLS', async () => {
  await askOrigin(origin, `${origin.httpUrl}/images/0`);
  await askOrigin(origin, `${origin.crossOriginUrl}/images/0`);

  expect(origin.truth.requests().map(({ protocol, tls }) => ({ protocol, tls }))).toEqual([
    { protocol: 'http/1.1', tls: null },
    { protocol: 'http/1.1', tls: null },
  ]);
});

test('the HTTPS listener takes HTTP/1.1 from a client that offers HTTP/2 too', async () => {
  const socket = await connectTls(origin.httpsUrl, offersBoth);
  expect(socket.alpnProtocol).toBe('http/1.1');
  socket.destroy();
});

test('the HTTP/2 listener takes HTTP/2, and HTTP/1.1 from a client that offers nothing else', async () => {
  const [both, old] = await Promise.all([
    connectTls(origin.http2Url, offersBoth),
    connectTls(origin.http2Url, { ALPNProtocols: ['http/1.1'] }),
  ]);
  expect([both.alpnProtocol, old.alpnProtocol]).toEqual(['h2', 'http/1.1']);
  both.destroy();
  old.destroy();

  expect((await askOrigin(origin, `${origin.http2Url}/images/0`)).status).toBe(200);
  expect(origin.truth.requests()[0]).toMatchObject({
    protocol: 'http/1.1',
    tls: { protocol: 'TLSv1.3', isSessionReused: false },
  });
});

test.each(['httpUrl', 'httpsUrl', 'http2Url'] as const)(
  'over HTTP/1.1, %s takes a request with a head of 100 kB, and keeps its connection for two minutes',
  async (listener) => {
    const headers = { cookie: 'a'.repeat(100_000), connection: 'keep-alive' };
    const answer = await askOrigin(origin, `${origin[listener]}/images/0`, headers);
    expect(answer).toMatchObject({ status: 200, headers: { 'keep-alive': 'timeout=120' } });
  },
);

test.each(['localhost', 'some.origin.test', 'origin.test'])('the certificate is good for %s', async (servername) => {
  const socket = await connectTls(origin.httpsUrl, { servername });
  expect(socket.authorized).toBe(true);
  socket.destroy();
});

test('the trusted key is that of the authority, which the server sends along', async () => {
  const socket = await connectTls(origin.httpsUrl, {});
  const authority = new X509Certificate(socket.getPeerCertificate(true).issuerCertificate.raw);
  socket.destroy();
  const hash = createHash('sha256')
    .update(authority.publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');
  expect(hash).toBe(origin.trustedKey);
});

test('the requests of one HTTP/2 connection share its id, those of HTTP/1.1 connections do not', async () => {
  const session = openHttp2(origin);
  try {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => askHttp2(session, `/image/${index + 1}.jpg?delayMs=20&counts=viewport`)),
    );
  } finally {
    session.close();
  }
  const overHttp2 = origin.truth.requests();
  expect(overHttp2).toHaveLength(20);
  expect(new Set(overHttp2.map((request) => request.connectionId)).size).toBe(1);
  expect(new Set(overHttp2.map((request) => request.protocol))).toEqual(new Set(['h2']));

  origin.truth.clear();
  await Promise.all([1, 2, 3].map((n) => askOrigin(origin, `${origin.httpUrl}/image/${n}.jpg?counts=viewport`)));
  expect(new Set(origin.truth.requests().map((request) => request.connectionId)).size).toBe(3);
});

test('a resumed TLS session is distinguished from a full handshake', async () => {
  const first = await connectTls(origin.httpsUrl, {});
  const ticket = once(first, 'session') as Promise<[Buffer]>;
  first.write('GET /images/0 HTTP/1.1\r\nHost: origin\r\n\r\n');
  const [session] = await ticket;
  first.destroy();
  const second = await connectTls(origin.httpsUrl, { session });
  second.write('GET /images/0 HTTP/1.1\r\nHost: origin\r\n\r\n');
  await once(second, 'data');
  second.destroy();

  expect(origin.truth.requests().map((request) => request.tls?.isSessionReused)).toEqual([false, true]);
});

test('a connection is logged with the time of its opening and, once it is over, of its closing', async () => {
  await askOrigin(origin, `${origin.httpUrl}/images/0`);
  const [request] = origin.truth.requests();
  const find = () => origin.truth.connections().find((connection) => connection.id === request?.connectionId);

  await expect.poll(() => find()?.closedEpochMs).not.toBeNull();
  const connection = find()!;
  expect(connection).toMatchObject({ listener: 'http', tls: null });
  expect(connection.openedEpochMs).toBeLessThanOrEqual(request!.arrivedEpochMs);
  expect(connection.closedEpochMs).toBeGreaterThanOrEqual(request!.endedEpochMs!);
});
