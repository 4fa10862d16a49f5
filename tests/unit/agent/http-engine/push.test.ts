import { once } from 'node:events';
import { constants, createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { truthOf } from '#testbed/origin/truth-log.ts';
import { readMetric } from '../../core/metrics/support/read-metric.ts';
import { load, openClient } from './open-client.ts';

describe('pushes of the origin', () => {
  let origin: Origin;
  beforeAll(async () => {
    origin = await startOrigin();
  });
  afterAll(() => origin.close());

  test.for([0, 25, 100])('at %i % are used instead of requests, as the log has it', async (push) => {
    const client = openClient({ browser: { protocols: ['h2'], trustedKeys: [origin.trustedKey] } });
    const visit = `push-${push}`;
    const snapshot = await load(client, `${origin.http2Url}/images/8?push=${push}&pageDelayMs=200&visit=${visit}`);
    const truth = truthOf(origin.truth, visit);
    const requests = origin.truth.requests(visit);
    expect(requests.map(({ object }) => object).sort()).toEqual([...truth.totalObjects, null].sort());

    const pushed = requests.filter(({ isPushed }) => isPushed);
    expect(pushed).toHaveLength((8 * push) / 100);
    const marked = snapshot.requests.filter(({ isPushed }) => isPushed);
    const pathOf = (url: string) => url.slice(origin.http2Url.length);
    expect(marked.map(({ url }) => pathOf(url)).sort()).toEqual(pushed.map(({ url }) => url).sort());
    const bodies = new Map(requests.map(({ url, bodyBytes }) => [url, bodyBytes]));
    for (const { url, decodedBytes, receivedBytes } of snapshot.requests) {
      expect(decodedBytes).toBe(bodies.get(pathOf(url)));
      expect(receivedBytes).toBeGreaterThan(decodedBytes!);
    }
    for (const { sentEpochMs, endEpochMs, startEpochMs, connectionId } of marked) {
      expect([sentEpochMs, connectionId]).toEqual([null, '1']);
      // Pushed while the page waits at the origin.
      expect(endEpochMs).toBeLessThanOrEqual(snapshot.requests[0]!.responseEpochMs!);
      expect(startEpochMs).toBeLessThanOrEqual(endEpochMs!);
    }
    expect(readMetric(snapshot, 'pushedObjectCount')).toBe(pushed.length);
    expect(readMetric(snapshot, 'unusedPushBytes')).toBe(0);
    expect(snapshot.unusedPushes).toEqual({ count: 0, bytes: 0 });
    const totalMs = (readMetric(snapshot, 'totalMs') as number) - (readMetric(snapshot, 'requestStartMs') as number);
    // The page waits at the origin.
    expect(totalMs).toBeGreaterThan(190);
  });

  test('what a warm client has already is pushed in vain', async () => {
    const client = openClient({
      browser: { protocols: ['h2'], trustedKeys: [origin.trustedKey] },
      pageLoad: { cache: 'warm' },
    });
    const visit = (name: string) =>
      load(client, `${origin.http2Url}/page/4x2000?push=50&pageDelayMs=200&again=${name}`);
    expect((await visit('first')).unusedPushes).toEqual({ count: 0, bytes: 0 });
    const { unusedPushes, requests } = await visit('second');
    expect(unusedPushes!.count).toBe(2);
    // Two bodies and their headers.
    expect(unusedPushes!.bytes).toBeGreaterThan(4000);
    expect(unusedPushes!.bytes).toBeLessThan(5000);
    expect(requests.filter(({ fromCache, isPushed }) => fromCache && !isPushed)).toHaveLength(4);
    await client.close();
  });
});

/** A server that pushes what `push` says before its page, which names /a and /b. It takes what it is asked for. */
async function servePushes(push: (page: ServerHttp2Stream) => void) {
  const asked: string[] = [];
  const server = createServer();
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined); // a client may refuse any
    const path = String(headers[':path']);
    asked.push(path);
    if (path === '/') push(stream);
    stream.respond({ ':status': 200, 'content-type': path === '/' ? 'text/html' : 'image/png' });
    stream.end(path === '/' ? '<img src=/a><img src=/b>' : 'asked for');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

const pushPath = (
  page: ServerHttp2Stream,
  headers: Record<string, string>,
  answer: (pushed: ServerHttp2Stream) => void,
) =>
  page.pushStream({ ':path': '/a', ...headers }, (_error, pushed) => {
    pushed.on('error', () => undefined);
    answer(pushed);
  });

test('what breaks off before the page names it is asked for', async () => {
  await using server = await servePushes((page) =>
    pushPath(page, {}, (pushed) => pushed.close(constants.NGHTTP2_INTERNAL_ERROR)),
  );
  const client = openClient({ browser: { protocols: ['h2'] } });
  const snapshot = await load(client, server.url);
  expect(server.asked).toEqual(['/', '/a', '/b']);
  expect(readMetric(snapshot, 'failedObjectCount')).toBe(0);
});

test.for([
  ['of another origin', { ':authority': 'elsewhere.example' }],
  ['of another method', { ':method': 'HEAD' }],
  ['that the page does not name', { ':path': '/c' }],
] as const)('a push %s is not used', async ([, headers]) => {
  await using server = await servePushes((page) =>
    pushPath(page, headers, (pushed) => {
      pushed.respond({ ':status': 200 });
      pushed.end('pushed');
    }),
  );
  const client = openClient({ browser: { protocols: ['h2'] } });
  const snapshot = await load(client, server.url);
  expect(server.asked).toEqual(['/', '/a', '/b']);
  expect(snapshot.unusedPushes!.count).toBe(1);
  expect(readMetric(snapshot, 'pushedObjectCount')).toBe(0);
  expect(readMetric(snapshot, 'objectCount')).toBe(3);
});
