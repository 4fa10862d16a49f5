import { expect, test } from 'vitest';
import { causeIds, type CauseId, type Parts } from '#core/causes/causes.ts';
import { splitLatencies } from '#core/causes/split-latencies.ts';
import type { LatencyId } from '#core/metrics/index.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import {
  makeFrame,
  makeNavigation,
  makeNeed,
  makeRequest,
  makeResource,
  makeSnapshot,
  pageUrl,
  startEpochMs,
} from '../metrics/support/snapshot-parts.ts';
import { timed } from './support/timed-request.ts';

const imageUrl = `${pageUrl}image.jpg`;

/** The causes that have a part, to whole milliseconds. */
function partsOf(snapshot: Snapshot, latency: LatencyId = 'totalMs'): Partial<Record<CauseId, number>> {
  return name(splitLatencies(snapshot)[latency]!.parts);
}

function name(parts: Parts): Partial<Record<CauseId, number>> {
  const rounded = causeIds.map((cause, place) => [cause, Math.round(parts[place]!)] as const);
  return Object.fromEntries(rounded.filter(([, ms]) => ms > 0));
}

const at = (ms: number) => startEpochMs + ms;

/** A page whose document opens a connection with a round trip of 20 ms, and is there after 100 ms. */
const document = timed(pageUrl, {
  start: 1,
  connect: [2, 22],
  sent: 22,
  answer: 42,
  end: 100,
  type: 'document',
  isMainDocument: true,
  initiatorUrl: null,
});

function pageWith(requests: readonly NetworkRequest[], frame: Parameters<typeof makeFrame>[0] = {}): Snapshot {
  return makeSnapshot({ frames: [makeFrame(frame)], requests: [document, ...requests] });
}

test('a page alone: the start, its connection, a round trip, and what came', () => {
  const own = { start: 2, connect: 20, roundTrip: 20, receive: 58 };
  expect(partsOf(pageWith([]))).toEqual(own);
  expect(partsOf(pageWith([]), 'baseMs')).toEqual(own);
});

test('an answer that takes longer than the least round trip to its host took that longer at the server', () => {
  const image = timed(imageUrl, { start: 100, sent: 100, answer: 220, end: 225 });
  expect(partsOf(pageWith([image]))).toEqual({
    start: 2,
    connect: 20,
    roundTrip: 40,
    server: 100,
    receive: 63,
  });
});

test('what a server says that it took is its time, and the rest the network’s', () => {
  const image = timed(imageUrl, { start: 100, sent: 100, answer: 220, end: 225, serverMs: 30 });
  expect(partsOf(pageWith([image]))).toMatchObject({ roundTrip: 110, server: 30, receive: 63 });
});

test('an answer’s round trip is known by what its server says, where no handshake shows it', () => {
  const slow = { ...document, exchange: null!, sentEpochMs: at(2), serverMs: 15 };
  const page = makeSnapshot({ frames: [makeFrame()], requests: [slow] });
  expect(partsOf(page)).toEqual({ start: 2, roundTrip: 25, server: 15, receive: 58 });
});

test('what a cache repeats of a server’s time is not believed where it leaves less than a round trip', () => {
  for (const serverMs of [300, 25]) {
    const image = timed(imageUrl, { start: 100, sent: 100, answer: 130, end: 135, serverMs });
    expect(partsOf(pageWith([image]))).toMatchObject({ roundTrip: 40, server: 10 });
  }
});

test('a handshake of which Chrome shows only the rest is no round trip', () => {
  const late = {
    ...document,
    isConnectionReused: false,
    exchange: {
      ...document.exchange!,
      phases: { ...document.exchange!.phases, connect: [at(2), at(5)] as [number, number] },
    },
  };
  const image = timed(imageUrl, { start: 100, sent: 100, answer: 120, end: 125, isConnectionReused: true });
  const snapshot = makeSnapshot({ frames: [makeFrame()], requests: [late, image] });
  expect(partsOf(snapshot)).toMatchObject({ connect: 3, roundTrip: 40 });
  expect(partsOf(snapshot).server).toBeUndefined();
});

test('a handshake that had begun for another request took a round trip all the same', () => {
  const image = timed(imageUrl, { start: 100, connect: [81, 101], sent: 101, answer: 121, end: 125 });
  const parts = partsOf(pageWith([image]));
  expect(parts).toMatchObject({ connect: 21, roundTrip: 40 });
  expect(parts.server).toBeUndefined();
});

test('what waits while connections are being opened waits for the first of these, and then for a free one', () => {
  const others = [
    timed(`${pageUrl}a`, { start: 100, connect: [100, 140], tls: [120, 140], sent: 140, answer: 160, end: 300 }),
    timed(`${pageUrl}b`, { start: 100, connect: [100, 150], tls: [130, 150], sent: 150, answer: 170, end: 310 }),
  ];
  const queued = timed(imageUrl, { start: 100, sent: 300, answer: 320, end: 330 });
  expect(partsOf(pageWith([...others, queued]))).toEqual({
    start: 2,
    connect: 40,
    tls: 30,
    queue: 150,
    roundTrip: 40,
    receive: 68,
  });
});

test('a chain of style sheets is walked back, with the time that the browser took between', () => {
  const [outer, inner] = [`${pageUrl}outer.css`, `${pageUrl}inner.css`];
  const requests = [
    timed(outer, { start: 110, sent: 110, answer: 130, end: 140, type: 'style-sheet' }),
    timed(inner, { start: 145, sent: 145, answer: 165, end: 170, type: 'style-sheet', initiatorUrl: outer }),
    timed(imageUrl, { start: 180, sent: 180, answer: 200, end: 210, initiatorUrl: inner }),
  ];
  expect(partsOf(pageWith(requests))).toEqual({
    start: 2,
    connect: 20,
    roundTrip: 80,
    receive: 83,
    browser: 25,
  });
});

test('what was found while its document still came does not wait for the rest of it', () => {
  const image = timed(imageUrl, { start: 60, sent: 60, answer: 80, end: 400 });
  expect(partsOf(pageWith([image]))).toEqual({ start: 2, connect: 20, roundTrip: 40, receive: 338 });
});

test('where no engine names what asked, it is the last style sheet or script of the frame, and the step says so', () => {
  const script = `${pageUrl}app.js`;
  const requests = [
    timed(script, { start: 110, sent: 110, answer: 130, end: 140, type: 'script', initiatorUrl: null }),
    timed(imageUrl, { start: 220, sent: 220, answer: 240, end: 250, initiatorUrl: null }),
  ];
  const snapshot = pageWith(requests);
  expect(partsOf(snapshot)).toEqual({ start: 2, connect: 20, roundTrip: 60, receive: 78, browser: 90 });
  const { path } = splitLatencies(snapshot).totalMs!;
  expect(path.filter(({ isAssumed }) => isAssumed).map(({ cause }) => cause)).toContain('browser');
});

test('redirects are the earlier hops without the opening of their connections', () => {
  const hops = [
    timed(`${pageUrl}old`, {
      start: 1,
      connect: [2, 22],
      sent: 22,
      answer: 42,
      end: 42,
      id: 'page',
      type: 'document',
      isMainDocument: true,
      initiatorUrl: null,
      status: 302,
    }),
    timed(pageUrl, {
      start: 42,
      sent: 42,
      answer: 62,
      end: 100,
      id: 'page',
      hop: 1,
      type: 'document',
      isMainDocument: true,
      initiatorUrl: null,
    }),
  ];
  const snapshot = makeSnapshot({ frames: [makeFrame()], requests: hops });
  expect(partsOf(snapshot)).toEqual({ start: 2, redirect: 20, connect: 20, roundTrip: 20, receive: 38 });
});

test('earlier documents of the page are redirects too', () => {
  const first = { ...document, id: 'first', url: `${pageUrl}first` };
  const shiftMs = 500;
  const later = {
    ...timed(pageUrl, { start: shiftMs + 1, sent: shiftMs + 1, answer: shiftMs + 21, end: shiftMs + 100 }),
    id: 'second',
    type: 'document' as const,
    isMainDocument: true,
    initiatorUrl: null,
  };
  const snapshot = makeSnapshot({
    frames: [makeFrame({ timeOrigin: at(shiftMs), navigation: makeNavigation({ responseEnd: 100 }) })],
    requests: [first, later],
    takenEpochMs: at(3000),
  });
  // From the first request on: 599 ms.
  expect(partsOf(snapshot, 'baseMs')).toEqual({ start: 1, redirect: 479, connect: 20, roundTrip: 20, receive: 79 });
});

test('objects that end within 10 ms of the last share the split', () => {
  const slow = timed(imageUrl, { start: 100, sent: 100, answer: 300, end: 310 });
  const large = timed(`${pageUrl}large`, { start: 100, sent: 100, answer: 120, end: 306 });
  const { parts, paths } = splitLatencies(pageWith([slow, large])).totalMs!;
  expect(paths).toBe(2);
  expect(name(parts)).toEqual({ start: 2, connect: 20, roundTrip: 40, server: 90, receive: 158 });
});

test('what an entry shows counts where the engine does not know when a request was sent', () => {
  const image = makeRequest({ url: imageUrl, startMs: 40, endMs: 150, sentEpochMs: null });
  const resources = [
    makeResource({
      name: imageUrl,
      domainLookupStart: 0,
      domainLookupEnd: 0,
      connectStart: 0,
      connectEnd: 0,
      requestStart: 60,
      responseStart: 120,
    }),
  ];
  expect(partsOf(pageWith([image], { resources }))).toMatchObject({
    queue: 20,
    roundTrip: 38,
    server: 40,
    receive: 30,
  });
});

test('nothing is invented: hidden phases, an element without a fetch, and answers of the cache', () => {
  const hidden = makeRequest({ url: imageUrl, startMs: 100, endMs: 150, sentEpochMs: null, responseEpochMs: null });
  expect(partsOf(pageWith([hidden]))).toMatchObject({ unexplained: 50 });
  const need = makeNeed({ url: imageUrl, elementEventMs: 180 });
  expect(partsOf(pageWith([], { viewportNeeds: [need] }), 'viewportMs')).toMatchObject({ unexplained: 80 });
  const cached = makeRequest({ url: imageUrl, startMs: 100, endMs: 130, fromCache: true, connectionId: null });
  expect(partsOf(pageWith([cached]))).toMatchObject({ browser: 30 });
});

test('a handshake in the page’s entry may be the rest of one, and is no round trip', () => {
  const url = 'http://cdn.test/image.jpg';
  const image = makeRequest({ url, startMs: 100, endMs: 150, sentEpochMs: null, connectionId: null, protocol: null });
  const lookup = { startTime: 100, domainLookupStart: 100, domainLookupEnd: 100, connectStart: 100, connectEnd: 103 };
  const entry = { ...lookup, requestStart: 103, responseStart: 123, responseEnd: 150 };
  const frame = makeFrame({ resources: [makeResource({ name: url, ...entry })] });
  const snapshot = makeSnapshot({ frames: [frame], requests: [{ ...document, connectionId: null }, image] });
  expect(partsOf(snapshot)).toEqual({ start: 2, connect: 23, roundTrip: 40, receive: 85 });
});

test('an image whose address the browser made secure is found among the requests', () => {
  const secure = timed('https://cdn.test/image.jpg', { start: 100, sent: 100, answer: 120, end: 180 });
  const need = makeNeed({ url: 'http://cdn.test/image.jpg' });
  const parts = partsOf(pageWith([secure], { viewportNeeds: [need] }), 'viewportMs');
  expect(parts).toEqual({ start: 2, connect: 20, roundTrip: 40, receive: 118 });
});

test('what a service worker answers at once is no round trip to its host', () => {
  const answered = timed(`${pageUrl}a`, { start: 100, sent: 100, answer: 102, end: 104, connectionId: null });
  const image = timed(imageUrl, { start: 110, sent: 110, answer: 150, end: 160 });
  expect(partsOf(pageWith([answered, image]))).toMatchObject({ roundTrip: 40, server: 20 });
});

test('a page of thousands of objects that name each other ends', () => {
  const requests = Array.from({ length: 5000 }, (_, index) =>
    timed(`${pageUrl}${index}`, {
      start: 100 + index / 10,
      sent: 100 + index / 10,
      answer: 110 + index / 10,
      end: 120 + index / 10,
      initiatorUrl: index === 0 ? pageUrl : `${pageUrl}${index - 1}`,
    }),
  );
  const { parts } = splitLatencies(pageWith(requests)).totalMs!;
  expect(parts.reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(619.9, 3);
});
