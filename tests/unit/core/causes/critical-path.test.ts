import { expect, test } from 'vitest';
import { splitLatencies } from '#core/causes/split-latencies.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';
import type { FrameSnapshot } from '#core/metrics/frame-snapshot.ts';
import {
  makeFrame,
  makeNavigation,
  makeResource,
  makeSnapshot,
  pageUrl,
  startEpochMs,
} from '../metrics/support/snapshot-parts.ts';
import { timed } from './support/timed-request.ts';

const imageUrl = `${pageUrl}image.jpg`;
/** A page whose document opens a connection with a round trip of 20 ms, and is there after 100 ms. */
const document = timed(pageUrl, {
  start: 1,
  sent: 22,
  answer: 42,
  end: 100,
  type: 'document',
  isMainDocument: true,
  initiatorUrl: null,
  connect: [2, 22],
});

/** The critical path of the total latency, as `cause from–to of object.hop`; `?` where it is assumed. */
function pathOf(...requests: NetworkRequest[]): string[] {
  return pathIn([makeFrame()], requests);
}

function pathIn(frames: FrameSnapshot[], requests: NetworkRequest[]): string[] {
  const { path } = splitLatencies(makeSnapshot({ frames, requests })).totalMs!;
  return path.map(({ cause, startMs, endMs, of, isAssumed }) =>
    [cause, `${startMs}–${endMs}`, of && `of ${of.object}.${of.hop}`, isAssumed && '?'].filter(Boolean).join(' '),
  );
}

const ofDocument = ['start 0–2 of 0.0', 'connect 2–22 of 0.0', 'roundTrip 22–42 of 0.0'];

test('each step of a critical path names the object whose time it is, or that waited', () => {
  const [outer, inner] = [`${pageUrl}outer.css`, `${pageUrl}inner.css`];
  expect(
    pathOf(
      document,
      timed(outer, { start: 110, sent: 110, answer: 130, end: 140, type: 'style-sheet' }),
      timed(inner, { start: 145, sent: 145, answer: 165, end: 170, type: 'style-sheet', initiatorUrl: outer }),
      timed(imageUrl, { start: 180, sent: 180, answer: 200, end: 210, initiatorUrl: inner }),
    ),
  ).toEqual([
    ...ofDocument,
    'receive 42–100 of 0.0',
    'browser 100–110 of 1.0',
    'roundTrip 110–130 of 1.0',
    'receive 130–140 of 1.0',
    'browser 140–145 of 2.0',
    'roundTrip 145–165 of 2.0',
    'receive 165–170 of 2.0',
    'browser 170–180 of 3.0',
    'roundTrip 180–200 of 3.0',
    'receive 200–210 of 3.0',
  ]);
});

test('a step that no engine names the reason of is marked as assumed, up to what the object waited for', () => {
  const script = timed(`${pageUrl}app.js`, { start: 110, sent: 110, answer: 130, end: 140, type: 'script' });
  expect(
    pathOf(
      document,
      script,
      timed(imageUrl, { start: 220, sent: 220, answer: 240, end: 250, initiatorUrl: null }),
    ).slice(5),
  ).toEqual([
    'roundTrip 110–130 of 1.0 ?',
    'receive 130–140 of 1.0 ?',
    'browser 140–220 of 2.0 ?',
    'roundTrip 220–240 of 2.0',
    'receive 240–250 of 2.0',
  ]);
});

test('each hop of a redirected object is named, its redirects apart from the last', () => {
  const moved = { id: 'moved' };
  expect(
    pathOf(
      document,
      timed(`${pageUrl}old`, { start: 110, sent: 110, answer: 130, end: 130, status: 302, ...moved, hop: 0 }),
      timed(imageUrl, { start: 130, sent: 130, answer: 150, end: 170, ...moved, hop: 1 }),
    ).slice(4),
  ).toEqual([
    'browser 100–110 of 1.0',
    'redirect 110–130 of 1.0',
    'roundTrip 130–150 of 1.1',
    'receive 150–170 of 1.1',
  ]);
});

test('what waits for a connection names the waiting object', () => {
  expect(
    pathOf(
      document,
      timed(`${pageUrl}a`, { start: 100, sent: 140, answer: 160, end: 300, connect: [100, 140] }),
      timed(imageUrl, { start: 100, sent: 300, answer: 320, end: 330 }),
    ).slice(4),
  ).toEqual(['connect 100–140 of 2.0', 'queue 140–300 of 2.0', 'roundTrip 300–320 of 2.0', 'receive 320–330 of 2.0']);
});

test('a chain of a thousand objects is walked back to the document', () => {
  const address = (index: number) => `${pageUrl}${index}.css`;
  const chain = Array.from({ length: 998 }, (_, index) => {
    const start = 100 + 10 * index;
    const times = { start, sent: start, answer: start + 10, end: start + 10 };
    const initiatorUrl = index === 0 ? pageUrl : address(index - 1);
    return timed(address(index), { ...times, type: 'style-sheet', initiatorUrl });
  });
  const path = pathOf(document, ...chain);
  expect(path.slice(0, 4)).toEqual([...ofDocument, 'receive 42–100 of 0.0']);
  expect(path).toHaveLength(4 + chain.length);
});

test('a frame waits for the script of the page that came just before it, not for one of its own', () => {
  const frameUrl = `${pageUrl}frame`;
  const frame = makeFrame({
    ...{ path: [0], url: frameUrl, timeOrigin: startEpochMs + 305 },
    navigation: makeNavigation({ name: frameUrl, responseEnd: 45 }),
  });
  const path = pathIn(
    [makeFrame(), frame],
    [
      document,
      timed(`${pageUrl}app.js`, { start: 110, sent: 110, answer: 130, end: 300, type: 'script' }),
      timed(frameUrl, { start: 305, sent: 305, answer: 325, end: 350, type: 'document' }),
    ],
  );
  expect(path.slice(4)).toEqual([
    'browser 100–110 of 2.0',
    'roundTrip 110–130 of 2.0 ?',
    'receive 130–300 of 2.0 ?',
    'browser 300–305 of 1.0 ?',
    'roundTrip 305–325 of 1.0',
    'receive 325–350 of 1.0',
  ]);
});

test('an `object` of the page is not its document: what nobody names does not wait for it', () => {
  const objectUrl = `${pageUrl}drawing.svg`;
  const embedded = timed(objectUrl, { start: 110, sent: 110, answer: 150, end: 200, type: 'document' });
  const frame = makeFrame({
    navigation: makeNavigation({ serverMs: 15 }),
    resources: [makeResource({ name: objectUrl, initiatorType: 'object', startTime: 110, responseEnd: 200 })],
  });
  const image = timed(imageUrl, { start: 220, sent: 220, answer: 240, end: 250, initiatorUrl: null });
  expect(pathIn([frame], [document, embedded, image]).slice(-3)).toEqual([
    'browser 100–220 of 2.0 ?',
    'roundTrip 220–240 of 2.0',
    'receive 240–250 of 2.0',
  ]);
  // What the server says of the page is not of it either.
  expect(pathIn([frame], [document, embedded]).slice(-3)).toEqual([
    'roundTrip 110–130 of 1.0',
    'server 130–150 of 1.0',
    'receive 150–200 of 1.0',
  ]);
});

test('what a script fetches from the address of its own page was named by the page, and not by itself', () => {
  expect(
    pathOf(
      document,
      timed(`${pageUrl}app.js`, { start: 60, sent: 60, answer: 80, end: 140, type: 'script' }),
      timed(pageUrl, { id: 'again', start: 220, sent: 220, answer: 240, end: 250, type: 'fetch' }),
    ).slice(4),
  ).toEqual(['browser 100–220 of 2.0', 'roundTrip 220–240 of 2.0', 'receive 240–250 of 2.0']);
  const twice = ['one', 'other'].map((id) =>
    timed(pageUrl, { id, start: 220, sent: 220, answer: 240, end: 250, type: 'fetch' }),
  );
  expect(pathOf(document, ...twice).slice(4, 5)).toEqual(['browser 100–220 of 1.0']);
});

test('what a preflight held up waited for its answer, and not for a connection', () => {
  const api = 'http://api.test/items';
  expect(
    pathOf(
      document,
      timed(api, { start: 110, sent: 160, answer: 180, end: 190, type: 'fetch' }),
      timed(api, { id: 'ahead', start: 111, connect: [111, 131], sent: 131, answer: 155, end: 156, type: 'preflight' }),
    ).slice(4),
  ).toEqual([
    'browser 100–110 of 1.0',
    'queue 110–111 of 1.0',
    'connect 111–131 of 2.0',
    'roundTrip 131–151 of 2.0',
    'server 151–155 of 2.0',
    'receive 155–156 of 2.0',
    'queue 156–160 of 1.0',
    'roundTrip 160–180 of 1.0',
    'receive 180–190 of 1.0',
  ]);
});
