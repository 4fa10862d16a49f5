import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { judgeTime } from '#tests/support/judge-time.ts';
import { openClient } from './open-client.ts';
import { serveTcp } from './serve-tcp.ts';

const begin = (socket: Socket, text: string): Socket => {
  socket.write(text);
  return socket;
};

// Kind 10 of issue 36: a server that drips without end, in every phase.
describe('the hard cap ends a Visit', () => {
  const timeoutMs = 1000;
  const drip = (socket: Socket, text: string) => {
    const timer = setInterval(() => socket.write(text), 50);
    socket.once('close', () => clearInterval(timer));
  };
  const page = (rest: string) => `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n${rest}`;
  test.for([
    ['that has no answer', () => undefined],
    ['whose head drips', (socket: Socket) => drip(begin(socket, 'HTTP/1.1 200 OK\r\nX: '), 'x')],
    ['of interim answers without end', (socket: Socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n')],
    [
      'of redirects without end, each late',
      (socket: Socket) =>
        void setTimeout(
          () => socket.end(`HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /${Math.random()}\r\n\r\n`),
          200,
        ),
    ],
    ['whose body drips', (socket: Socket) => drip(begin(socket, page('<p>')), '<p>')],
    [
      'whose object drips',
      (socket: Socket, count: number) =>
        count === 1 ? void socket.end(page('<img src=/a>')) : drip(begin(socket, page('')), 'x'),
    ],
    ['that names objects without end', (socket: Socket) => drip(begin(socket, page('')), '<img src=/x>')],
  ] as const)('%s', { timeout: 24_000 }, async ([, answer], context) => {
    await judgeTime(context, {
      measure: async () => {
        let count = 0;
        await using server = await serveTcp((socket) => socket.once('data', () => answer(socket, ++count)));
        const startMs = performance.now();
        const outcome = await openClient({ pageLoad: { timeoutMs } }).visit(server.url);
        const tookMs = performance.now() - startMs;
        expect(outcome.status === 'failed' ? outcome.code : outcome.snapshot.settled).toBeOneOf(['timeout', false]);
        return tookMs;
      },
      holds: (tookMs) => expect(tookMs).toBeLessThan(timeoutMs + 2000),
    });
  });

  test('over TLS that is never spoken', { timeout: 8000 }, async () => {
    await using server = await serveTcp(() => undefined);
    const outcome = await openClient({ pageLoad: { timeoutMs } }).visit(server.url.replace('http:', 'https:'));
    expect(outcome).toMatchObject({ status: 'failed', code: 'timeout' });
  });
});
