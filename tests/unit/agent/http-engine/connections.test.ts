import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { deriveReadings, listSection } from '#core/metrics/index.ts';
import { mainThread } from '#core/metrics/main-thread.ts';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { startHttpProxy } from '#tests/support/proxies/http-proxy.ts';
import { startSocksProxy } from '#tests/support/proxies/socks-proxy.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { Http1Connection } from '#agent/engines/http/network/http1-connection.ts';
import { openConnection, type OpenedConnection, HostResolver } from '#agent/engines/http/network/open-connection.ts';
import { load, openClient } from './open-client.ts';
import { holdForAll } from '#tests/support/hold.ts';

const origin = holdForAll(() => startOrigin());

interface RawServer extends AsyncDisposable {
  url: string;
  /** Of each connection all that came in on it. */
  received: string[];
}

/** A server that sees the bytes themselves: `answer` is called with all that a connection sent so far, whenever more comes. */
async function serveBytes(answer: (socket: Socket, text: string) => void): Promise<RawServer> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const index = received.push('') - 1;
    sockets.add(socket);
    socket.on('error', () => undefined); // a client that goes away is none of the test's business
    socket.on('data', (chunk) => {
      const text = (received[index] ?? '') + chunk.toString('latin1');
      received[index] = text;
      answer(socket, text);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const countRequests = (text: string) => text.split('\r\n\r\n').length - 1;
const page = (count: number) => Array.from({ length: count }, (_, index) => `<img src=/${index}>`).join('');
const respond = (body: string, headers = '') =>
  `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`;

describe('pipelining', () => {
  test('has as many requests under way on one connection as it is deep, before any of them is answered', async () => {
    let answered = 0;
    const depths: number[] = [];
    await using server = await serveBytes((socket, text) => {
      const waiting = countRequests(text) - answered;
      if (answered === 0) {
        answered++;
        socket.write(respond(page(8)));
      } else if (waiting === 4) {
        // Only now, with four requests in hand, are any of them answered: a client that waits for an answer would wait without end.
        depths.push(waiting);
        answered += 4;
        socket.write(respond('x').repeat(4));
      }
    });
    const client = openClient({
      browser: { connectionsPerOrigin: 1, pipeliningDepth: 4 },
      pageLoad: { timeoutMs: 8000 },
    });
    const snapshot = await load(client, server.url);
    expect(snapshot.settled).toBe(true);
    expect(depths).toEqual([4, 4]);
    expect(server.received).toHaveLength(1);
  });

  test('of depth 1 is none: no request leaves before the answer to the one before', async () => {
    let answered = 0;
    const excesses: number[] = [];
    await using server = await serveBytes((socket, text) => {
      excesses.push(countRequests(text) - answered);
      answered++;
      socket.write(respond(answered === 1 ? page(5) : 'x'));
    });
    const client = openClient({ browser: { connectionsPerOrigin: 1 }, pageLoad: { timeoutMs: 8000 } });
    expect((await load(client, server.url)).settled).toBe(true);
    expect(excesses).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test('behind a server that closes each connection after one answer loses nothing', async () => {
    const paths = new Set<string>();
    await using server = await serveBytes((socket, text) => {
      if (countRequests(text) === 0 || socket.writableEnded) return;
      const path = / (\S+) /.exec(text)![1]!;
      paths.add(path);
      socket.end(respond(path === '/' ? page(6) : 'x', 'Connection: close\r\n'));
    });
    const client = openClient({
      browser: { connectionsPerOrigin: 2, pipeliningDepth: 4 },
      pageLoad: { timeoutMs: 8000 },
    });
    const snapshot = await load(client, server.url);
    expect(snapshot.settled).toBe(true);
    expect(snapshot.requests.map(({ failure }) => failure)).toEqual(Array<null>(7).fill(null));
    expect(paths.size).toBe(7);
  });
});

test.each([1, 2, 3, 6, 8])(
  'at most %d connections are open to one origin at a time, and all of them are used',
  async (limit) => {
    const visit = `limit-${limit}`;
    await load(
      openClient({ browser: { connectionsPerOrigin: limit } }),
      `${origin.httpUrl}/images/30?visit=${visit}&delayMs=${limit * 15}`,
    );
    const requests = origin.truth.requests(visit);
    expect(requests).toHaveLength(31);
    expect(new Set(requests.map(({ connectionId }) => connectionId)).size).toBe(limit);
  },
);

test('over HTTP/2 one connection has at most so many streams', async () => {
  const visit = 'streams';
  await load(
    openClient({ browser: { http2Streams: 3, trustedKeys: [origin.trustedKey] } }),
    `${origin.http2Url}/images/12?visit=${visit}&delayMs=30`,
  );
  const requests = origin.truth.requests(visit);
  expect(requests.map(({ protocol }) => protocol)).toEqual(Array(13).fill('h2'));
  expect(new Set(requests.map(({ connectionId }) => connectionId)).size).toBe(1);
  const underWayAt = (epochMs: number) =>
    requests.filter(({ arrivedEpochMs, endedEpochMs }) => arrivedEpochMs <= epochMs && endedEpochMs! > epochMs).length;
  const most = Math.max(...requests.map(({ arrivedEpochMs }) => underWayAt(arrivedEpochMs)));
  expect(most).toBeLessThanOrEqual(3);
  expect(most).toBeGreaterThan(1);
});

test('HTTP/1.0 says so in every request, and has one connection for each', async () => {
  await using server = await serveBytes((socket, text) => {
    if (countRequests(text) === 1)
      socket.end(respond(text.startsWith('GET / ') ? page(5) : 'x').replace('HTTP/1.1', 'HTTP/1.0'));
  });
  await load(openClient({ browser: { protocols: ['http/1.0'] } }), server.url);
  expect(server.received.map((text) => text.split('\r\n')[0]).sort()).toEqual(
    ['/', '/0', '/1', '/2', '/3', '/4'].map((path) => `GET ${path} HTTP/1.0`),
  );
});

test('HTTP/1.0 has one connection for each request to an origin that would keep it open', async () => {
  const visit = 'http10';
  await load(openClient({ browser: { protocols: ['http/1.0'] } }), `${origin.httpUrl}/images/5?visit=${visit}`);
  const requests = origin.truth.requests(visit);
  expect(requests.map(({ protocol }) => protocol)).toEqual(Array(6).fill('http/1.0'));
  expect(new Set(requests.map(({ connectionId }) => connectionId)).size).toBe(6);
});

test('what is urgent goes first where connections are few', async () => {
  const order: string[] = [];
  await using server = await serveBytes((socket, text) => {
    const path = text.split('\r\n\r\n').at(-2)!.split(' ')[1]!;
    order.push(path);
    socket.write(
      respond(
        path === '/'
          ? '<img src=/1><img src=/2><link rel=stylesheet href=/style><script src=/script></script><iframe src=/frame></iframe>'
          : 'x',
      ),
    );
  });
  await load(openClient({ browser: { connectionsPerOrigin: 1 } }), server.url);
  expect(order).toEqual(['/', '/frame', '/style', '/script', '/1', '/2']);
});

test('the parts of opening a connection are reported of the request that it was opened for, in order', async () => {
  const snapshot = await load(
    openClient({ browser: { trustedKeys: [origin.trustedKey] } }),
    `${origin.httpsUrl}/images/0`,
  );
  const {
    fetchStart,
    domainLookupStart,
    domainLookupEnd,
    connectStart,
    secureConnectionStart,
    connectEnd,
    requestStart,
    responseStart,
    responseEnd,
  } = snapshot.frames[0]!.navigation!;
  const times = [
    fetchStart,
    domainLookupStart,
    domainLookupEnd,
    connectStart,
    secureConnectionStart,
    connectEnd,
    requestStart,
    responseStart,
    responseEnd,
  ];
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(connectEnd).toBeGreaterThan(connectStart);
  const absent = deriveReadings(snapshot).filter((reading) => reading.kind === 'absent');
  expect(absent.map(({ metric, reason }) => [metric, reason]).sort()).toEqual(
    [
      'cumulativeLayoutShift',
      'firstContentfulPaintMs',
      'firstPaintMs',
      'largestContentfulPaintMs',
      'lcpRenderDelayMs',
      'interactionMs',
      ...Object.keys(mainThread),
      'lcpResourceDelayMs',
      'lcpResourceMs',
      ...listSection('tasks'),
      'speedIndexMs',
      'totalBlockingMs',
      'viewportMs',
      'viewportObjectCount',
      'visuallyComplete100Ms',
      'visuallyComplete85Ms',
      'visuallyComplete95Ms',
    ]
      .map((metric) => [metric, 'unsupported'])
      .concat([['replayMissCount', 'not-applicable']])
      .sort(),
  );
});

describe('a connection that no request was sent on', () => {
  async function open(
    url: string,
  ): Promise<{ connection: Http1Connection; opened: OpenedConnection; gone: Promise<void> }> {
    const { promise: gone, resolve: onGone } = Promise.withResolvers<void>();
    const settings = {
      browser: { trustedKeys: [] },
      resolver: new HostResolver(),
      tlsSessions: new Map<string, Buffer>(),
      nowEpochMs: epochClock,
    };
    const opened = await openConnection(new URL(url), settings, new AbortController().signal);
    const parts = { id: '1', origin: new URL(url), opened, capacity: 1, onGone, nowEpochMs: epochClock };
    return { connection: new Http1Connection(parts), opened, gone };
  }

  test('is closed with the client', async () => {
    await using server = await serveBytes(() => undefined);
    const { connection, opened, gone } = await open(server.url);
    await connection.close();
    expect(opened.socket.destroyed).toBe(true);
    await gone;
  });

  test('may be reset: it is gone, and nothing else', async () => {
    await using server = await serveBytes((socket) => socket.resetAndDestroy());
    const { connection, opened, gone } = await open(server.url);
    opened.socket.write('x');
    await gone;
    expect(connection.isUsable).toBe(false);
  });
});

describe('all requests go by', () => {
  const asOrigin = (url: string) => url.replace('127.0.0.1', 'origin.test');

  test('an HTTP proxy: plain ones to it, the others through it', async () => {
    await using proxy = await startHttpProxy();
    const client = openClient({ browser: { proxy: proxy.url, trustedKeys: [origin.trustedKey] } });
    for (const url of [origin.httpUrl, origin.httpsUrl, origin.http2Url])
      await load(client, asOrigin(`${url}/images/2?visit=proxied`));
    expect(origin.truth.requests('proxied').map(({ protocol }) => protocol)).toEqual(
      ['http/1.1', 'http/1.1', 'h2'].flatMap((protocol) => Array<string>(3).fill(protocol)),
    );
    expect(new Set(proxy.asked)).toEqual(
      new Set([origin.httpUrl, origin.httpsUrl, origin.http2Url].map((url) => new URL(asOrigin(url)).host)),
    );
  });

  test('a SOCKS proxy, which looks the names up', async () => {
    await using proxy = await startSocksProxy();
    await load(openClient({ browser: { proxy: proxy.url } }), asOrigin(`${origin.httpUrl}/images/1?visit=socks`));
    expect(origin.truth.requests('socks')).toHaveLength(2);
    expect(proxy.asked).toContain(new URL(asOrigin(origin.httpUrl)).host);
  });
});
