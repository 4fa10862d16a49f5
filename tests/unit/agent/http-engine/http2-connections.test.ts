import { once } from 'node:events';
import {
  constants,
  createSecureServer,
  createServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { createAuthority } from '#testbed/origin/certificates/certificate-authority.ts';
import { issueCertificate } from '#testbed/origin/certificates/issue-certificate.ts';
import { hashPublicKey } from '#testbed/origin/start-origin.ts';
import { load, openClient } from './open-client.ts';
import { serveTcp } from './serve-tcp.ts';

/** An HTTP/2 server; `answer` is given each stream of a request, with its path. */
async function serve(answer: (stream: ServerHttp2Stream, path: string) => void) {
  const sessions: ServerHttp2Session[] = [];
  const server = createServer();
  server.on('session', (session) => sessions.push(session));
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    answer(stream, headers[':path']!);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    sessions,
    [Symbol.dispose]: () => {
      for (const session of sessions) session.destroy();
      server.close();
    },
  };
}
const respond = (stream: ServerHttp2Stream, type: string) => stream.respond({ ':status': 200, 'content-type': type });
const visit = (url: string) => load(openClient({ browser: { protocols: ['h2'] } }), url);

test('the end of an HTTP/2 connection (GOAWAY) leaves what is under way, and the rest goes over another', async () => {
  let count = 0;
  using server = await serve((stream, path) => {
    respond(stream, path === '/' ? 'text/html' : 'image/png');
    if (path === '/') {
      stream.end(Array.from({ length: 8 }, (_, index) => `<img src=/${index}>`).join(''));
      return;
    }
    if (++count === 2) stream.session!.goaway(constants.NGHTTP2_NO_ERROR, stream.id);
    setTimeout(() => stream.end('x'.repeat(3000)), 50);
  });
  const snapshot = await visit(server.url);
  expect(snapshot.requests.map(({ failure, decodedBytes }) => failure ?? decodedBytes)).toEqual([
    expect.any(Number),
    ...Array.from({ length: 8 }, () => 3000),
  ]);
});

test('what is asked for after the GOAWAY does not wait for what is under way on the old connection', async () => {
  const waiting = new Map<string, ServerHttp2Stream>();
  using server = await serve((stream, path) => {
    if (path === '/') {
      respond(stream, 'text/html');
      stream.end('<link rel=stylesheet href=/sheet><img src=/slow>');
    } else if (path === '/late') {
      respond(stream, 'image/png');
      stream.end('late');
      waiting.get('/slow')!.end('slow');
    } else {
      waiting.set(path, stream);
      respond(stream, path === '/sheet' ? 'text/css' : 'image/png');
      if (waiting.size < 2) return;
      stream.session!.goaway(constants.NGHTTP2_NO_ERROR, Math.max(...Array.from(waiting.values(), ({ id }) => id!)));
      waiting.get('/sheet')!.end('html { background: url(/late) }');
    }
  });
  const snapshot = await visit(server.url);
  expect(snapshot.requests.map(({ url, failure }) => [new URL(url).pathname, failure])).toEqual(
    ['/', '/sheet', '/slow', '/late'].map((path) => [path, null]),
  );
  expect(server.sessions).toHaveLength(2);
});

test('a server that speaks HTTP/2 alone is asked for all by one connection, also before it is open', async () => {
  using images = await serve((stream) => {
    respond(stream, 'image/png');
    stream.end('x');
  });
  using page = await serve((stream) => {
    respond(stream, 'text/html');
    stream.end(Array.from({ length: 6 }, (_, index) => `<img src=${images.url}${index}>`).join(''));
  });
  const snapshot = await visit(page.url);
  expect(snapshot.requests.filter(({ status, failure }) => status === 200 && failure === null)).toHaveLength(7);
  expect([page.sessions.length, images.sessions.length]).toEqual([1, 1]);
});

test('a server that ends each connection before it answers is tried three times', async () => {
  const frame = (type: number, payload: Buffer) =>
    Buffer.concat([Buffer.from([0, 0, payload.length, type, 0, 0, 0, 0, 0]), payload]);
  let connections = 0;
  await using server = await serveTcp((socket, count) => {
    connections = count;
    // SETTINGS, and a GOAWAY that counts no stream.
    socket.once('data', () => socket.write(Buffer.concat([frame(4, Buffer.alloc(0)), frame(7, Buffer.alloc(8))])));
  });
  const outcome = await openClient({ browser: { protocols: ['h2'] } }).visit(server.url);
  expect(outcome).toMatchObject({ status: 'failed', code: 'connection-reset' });
  expect(connections).toBe(3);
});

const { NGHTTP2_CANCEL, NGHTTP2_HTTP_1_1_REQUIRED, NGHTTP2_INTERNAL_ERROR, NGHTTP2_REFUSED_STREAM } = constants;

test.for([
  ['INTERNAL_ERROR', NGHTTP2_INTERNAL_ERROR, 1],
  ['CANCEL', NGHTTP2_CANCEL, 1],
  // RFC 9113, section 8.7: nothing was done with it.
  ['REFUSED_STREAM', NGHTTP2_REFUSED_STREAM, 2],
] as const)(
  'an object whose stream ends with %s is asked for again only if nothing was done',
  async ([, code, count]) => {
    const asked: string[] = [];
    using server = await serve((stream, path) => {
      asked.push(path);
      if (path === '/a') return stream.close(code);
      respond(stream, 'text/html');
      stream.end('<img src=/a>');
    });
    const snapshot = await visit(server.url);
    expect(asked).toEqual(['/', ...Array<string>(count).fill('/a')]);
    expect(snapshot.requests[1]!.failure).toMatch(/^connection-reset: /);
  },
);

const authority = await createAuthority(epochClock());
const certificate = await issueCertificate(authority, { hosts: ['127.0.0.1'], nowEpochMs: epochClock() });
const trustedKeys = [hashPublicKey(authority.certificate)];

describe('a server that wants HTTP/1.1 for a request (HTTP_1_1_REQUIRED)', () => {
  /** `end` gives up a request over HTTP/2. */
  async function serveBoth(end: (stream: ServerHttp2Stream) => void) {
    const asked: string[] = [];
    const server = createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) => {
      asked.push(`${request.httpVersion} ${request.url}`);
      if (request.url !== '/' && request.httpVersion === '2.0') return end(request.stream);
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(request.url === '/' ? '<img src=/a><img src=/b>' : 'x');
    });
    server.on('sessionError', () => undefined);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    return { url, asked, [Symbol.dispose]: () => void server.close() };
  }

  test.for([
    ['ends its stream', (stream: ServerHttp2Stream) => stream.close(NGHTTP2_HTTP_1_1_REQUIRED)],
    ['ends the connection', (stream: ServerHttp2Stream) => stream.session!.goaway(NGHTTP2_HTTP_1_1_REQUIRED, 1)],
  ] as const)('and %s is asked so, for all that follows', async ([, end]) => {
    using server = await serveBoth(end);
    const client = openClient({ browser: { trustedKeys }, pageLoad: { cache: 'per-pass' } });
    const { requests, settled } = await load(client, server.url);
    expect(settled).toBe(true);
    expect(requests.map(({ protocol, failure }) => failure ?? protocol)).toEqual(['h2', 'http/1.1', 'http/1.1']);
    server.asked.length = 0;
    await load(client, server.url);
    await client.close();
    expect(server.asked.sort()).toEqual(['1.1 /', '1.1 /a', '1.1 /b']);
  });

  test('has a failed object where the Scenario allows HTTP/2 alone', async () => {
    using server = await serveBoth((stream) => stream.close(NGHTTP2_HTTP_1_1_REQUIRED));
    const { requests } = await load(openClient({ browser: { trustedKeys, protocols: ['h2'] } }), server.url);
    expect(requests.map(({ failure }) => failure?.split(':')[0] ?? null)).toEqual([
      null,
      'connection-reset',
      'connection-reset',
    ]);
  });
});
