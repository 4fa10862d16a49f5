import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { makeSeededBytes } from '#tests/support/seeded-bytes.ts';

/** A web server whose answers show what a proxy may get wrong. */
export interface OddOrigin extends AsyncDisposable {
  port: number;
  url: string;
  /** Method and path of each request, in order. */
  asked: string[];
  /** Of requests that ended before their answer. */
  brokenOff: string[];
}

const big = makeSeededBytes(3_000_000);
const half = Buffer.from('half of a bo');

type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

const answers: Record<string, Answer> = {
  '/plain': (_, response) => {
    response.writeHead(200, 'Fine Thing', [
      'X-CaSe',
      'a',
      'x-case',
      'b',
      'Set-Cookie',
      'a=1',
      'Set-Cookie',
      'b=2',
      'Content-Length',
      '2',
    ]);
    response.end('ok');
  },
  '/big': (_, response) => void response.end(big),
  '/chunked': async (_, response) => {
    for (let part = 0; part < 5; part++) {
      response.write(`part ${part}\n`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    response.end();
  },
  '/echo': async (request, response) => {
    const body = await buffer(request);
    response.setHeader(
      'x-framing',
      request.headers['transfer-encoding'] ?? request.headers['content-length'] ?? 'none',
    );
    response.setHeader('x-trailers', JSON.stringify(request.rawTrailers));
    response.end(`${request.method ?? ''} ${createHash('sha256').update(body).digest('hex')} ${body.length}`);
  },
  '/range': (request, response) => {
    if (request.headers.range !== 'bytes=2-4')
      return void response.writeHead(416, { 'Content-Range': 'bytes */10' }).end();
    response.writeHead(206, { 'Content-Range': 'bytes 2-4/10', 'Content-Length': 3 }).end('234');
  },
  '/conditional': (request, response) => {
    const isKnown = request.headers['if-none-match'] === '"v1"';
    response.writeHead(isKnown ? 304 : 200, { ETag: '"v1"', 'Cache-Control': 'max-age=9' });
    response.end(isKnown ? undefined : 'version 1');
  },
  '/nothing': (_, response) => void response.writeHead(204).end(),
  '/headers': (request, response) => {
    const own = ['via', 'connection', 'proxy-connection', 'keep-alive'];
    const seen = Array.from({ length: request.rawHeaders.length / 2 }, (_, n) =>
      request.rawHeaders.slice(2 * n, 2 * n + 2),
    );
    response.end(JSON.stringify(seen.filter(([name]) => !own.includes(name!.toLowerCase()))));
  },
  '/via': (request, response) => void response.end(request.headers.via),
  '/hints': (_, response) => {
    response.writeEarlyHints({ link: '</a.css>; rel=preload; as=style' });
    response.end('after hints');
  },
  '/trailers': (_, response) => {
    response.writeHead(200, { Trailer: 'X-Sum' });
    response.write('body');
    response.addTrailers({ 'X-Sum': 'abc' });
    response.end();
  },
  '/broken': (_, response) => {
    response.writeHead(200, { 'Content-Length': 100 });
    response.write(half, () => response.socket?.destroy());
  },
  '/broken-chunked': (_, response) => void response.write(half, () => response.socket?.destroy()),
  '/no-answer': (request) => void request.socket.destroy(),
  '/error': (_, response) => void response.writeHead(500, { 'Content-Type': 'text/plain' }).end('it failed'),
  '/login': (_, response) => void response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="x"' }).end('who'),
  '/close': (_, response) => {
    response.socket?.end('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nuntil the end');
  },
  '/endless': (_, response) => {
    response.writeHead(200);
    response.flushHeaders();
    const timer = setInterval(() => response.write('tick\n'), 20);
    response.on('close', () => clearInterval(timer));
  },
  '/silent': () => undefined,
};

export async function startOddOrigin(): Promise<OddOrigin> {
  const asked: string[] = [];
  const brokenOff: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0]!;
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    response.sendDate = false;
    response.on('close', () => {
      if (!response.writableFinished) brokenOff.push(path);
    });
    const answer = answers[path];
    if (answer) void answer(request, response);
    else response.writeHead(404).end('nothing there');
  });
  server.on('upgrade', (request, socket) => {
    if (request.headers.upgrade === 'refused') {
      socket.end('HTTP/1.1 426 Upgrade Required\r\nContent-Length: 4\r\nX-Why: so\r\n\r\nnope');
      return;
    }
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${request.headers.upgrade ?? ''}\r\nConnection: Upgrade\r\n\r\nhello `,
    );
    socket.pipe(socket);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    asked,
    brokenOff,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
