import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { truthOf } from '#testbed/origin/truth-log.ts';
import { askHttp2, askOrigin, openAnswer, openHttp2 } from './ask-origin.ts';
import { holdForAll } from '#tests/support/hold.ts';

const origin = holdForAll(() => startOrigin());
beforeEach(() => origin.truth.clear());

/** Node's timers count whole milliseconds and may be this much early on the finer clock. */
const timerGrainMs = 1.5;

const longPath = '/image/1.jpg?counts=viewport&sizeBytes=50000000';

test('the last byte is the one that the client reads last, not the one that Node has taken', async () => {
  const response = await openAnswer(origin, origin.httpUrl + longPath);
  // So much does not fit into the buffers between the two.
  expect(origin.truth.requests()[0]).toMatchObject({ outcome: 'in-flight', lastByteEpochMs: null });
  const readingFromEpochMs = epochClock();
  const body = await buffer(response);

  expect(body).toHaveLength(50_000_000);
  await expect.poll(() => origin.truth.requests()[0]?.outcome).toBe('complete');
  expect(origin.truth.requests()[0]!.lastByteEpochMs).toBeGreaterThan(readingFromEpochMs);
});

test('over HTTP/2 too the last byte waits for a client that does not read', async () => {
  const session = openHttp2(origin);
  try {
    const stream = session.request({ ':path': longPath });
    await once(stream, 'response');
    expect(origin.truth.requests()[0]).toMatchObject({ outcome: 'in-flight', lastByteEpochMs: null });
    const readingFromEpochMs = epochClock();
    expect(await buffer(stream)).toHaveLength(50_000_000);

    await expect.poll(() => origin.truth.requests()[0]?.outcome).toBe('complete');
    expect(origin.truth.requests()[0]!.lastByteEpochMs).toBeGreaterThan(readingFromEpochMs);
  } finally {
    session.close();
  }
});

test.each(['HTTP/1.1', 'HTTP/2'])('over %s an object is held back for as long as was ordered', async (protocol) => {
  const path = '/image/1.jpg?counts=viewport&delayMs=120';
  const session = openHttp2(origin);
  try {
    await (protocol === 'HTTP/2' ? askHttp2(session, path) : askOrigin(origin, origin.httpUrl + path));
  } finally {
    session.close();
  }
  const [request] = origin.truth.requests();
  expect(request!.firstByteEpochMs! - request!.arrivedEpochMs).toBeGreaterThan(120 - timerGrainMs);
  expect(request!.lastByteEpochMs).toBeGreaterThanOrEqual(request!.firstByteEpochMs!);
});

test('an object can be sent in parts with pauses between them', async () => {
  const { body } = await askOrigin(origin, `${origin.httpUrl}/image/1.jpg?counts=viewport&chunks=4&chunkGapMs=30`);
  const [request] = origin.truth.requests();
  expect(request!.lastByteEpochMs! - request!.firstByteEpochMs!).toBeGreaterThan(3 * (30 - timerGrainMs));
  expect(body.subarray(-2).toString('hex')).toBe('ffd9');
});

test('the Visits of simultaneous users are distinguished', async () => {
  const load = async (visit: string, delayMs: number) => {
    const { body } = await askOrigin(origin, `${origin.httpUrl}/images/14?visit=${visit}&delayMs=${delayMs}`);
    const urls = [...body.toString().matchAll(/src="([^"]+)"/g)].map((match) => match[1]!);
    await Promise.all(urls.map((url) => askOrigin(origin, origin.httpUrl + url)));
  };
  await Promise.all([load('gold', 0), load('bronze', 400)]);

  const [gold, bronze] = [truthOf(origin.truth, 'gold'), truthOf(origin.truth, 'bronze')];
  expect(gold.viewportObjects).toHaveLength(12);
  expect(gold.totalObjects).toHaveLength(14);
  expect(bronze.totalObjects).toEqual(gold.totalObjects);
  expect(bronze.viewportMs).toBeGreaterThan(400 - timerGrainMs);
});

test('a client that goes away is logged as abandoned, with no last byte', async () => {
  const response = await openAnswer(origin, `${origin.httpUrl}/endless-image?visit=gone&counts=viewport`);
  expect(truthOf(origin.truth, 'gone').viewportMs).toBeNull();
  response.destroy();

  await expect.poll(() => origin.truth.requests()[0]?.outcome).toBe('abandoned');
  const [request] = origin.truth.requests();
  expect(request!.lastByteEpochMs).toBeNull();
  expect(request!.endedEpochMs).toBeGreaterThanOrEqual(request!.firstByteEpochMs!);
});

test('the log is readable over HTTP by Visit, is not logged itself, and can be cleared', async () => {
  await askOrigin(origin, `${origin.httpUrl}/images/0?visit=one`);
  await askOrigin(origin, `${origin.httpUrl}/images/0?visit=two`);

  const { body } = await askOrigin(origin, `${origin.httpUrl}/__truth?visit=one`);
  expect(JSON.parse(body.toString())).toMatchObject({
    truth: { viewportObjects: [] },
    requests: [{ visit: 'one', path: '/images/0' }],
  });
  expect(origin.truth.requests()).toHaveLength(2);

  expect((await fetch(`${origin.httpUrl}/__truth`, { method: 'DELETE' })).status).toBe(204);
  expect(origin.truth.requests()).toEqual([]);
  expect((await askOrigin(origin, `${origin.crossOriginUrl}/__truth`)).status).toBe(404);
});
