import { once } from 'node:events';
import { constants, createServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { load, openClient } from './open-client.ts';

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
