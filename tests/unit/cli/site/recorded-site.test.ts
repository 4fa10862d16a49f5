import { expect, test } from 'vitest';
import type { NetworkRequest } from '#core/metrics/network-request.ts';
import { makeRecordedSite, type VisitedPage } from '#cli/site/record-pages.ts';
import { makeRecordedExchange } from '#tests/support/make-recorded-site.ts';
import { makeSnapshot } from '#tests/support/make-snapshot.ts';

const page = 'https://shop.test/#top';
const requestBy = (url: string, initiatorUrl: string | null) => ({ url, initiatorUrl }) as NetworkRequest;
const alone = makeSnapshot({ url: page, totalMs: 300 });
const snapshot = {
  ...alone,
  requests: [
    requestBy('https://shop.test/', null),
    requestBy('https://shop.test/a.js#b', page),
    requestBy('https://shop.test/c.png', 'blob:https://shop.test/1'),
  ],
};
const visitTwice = (seen: typeof alone) =>
  [1_800_000_000_000, 1_800_000_009_000].map((startEpochMs) => ({ startEpochMs, snapshot: seen, webSockets: [] }));
const record = (visited: VisitedPage[], exchanges = [makeRecordedExchange()]) =>
  makeRecordedSite(visited, { recording: { hosts: [], exchanges }, software: 'HTTP-AE', engine: 'chrome' });

test('the exchanges of a Visit are in the order of their starts, each with the page or script that led to it', () => {
  const exchange = (path: string, visit: number, startMs: number) =>
    makeRecordedExchange({ url: `https://shop.test/${path}`, page: 1, visit, startMs });
  const exchanges = [
    ...[exchange('c.png', 2, 9), exchange('a.js', 1, 20), exchange('', 2, 0), exchange('c.png', 1, 30)],
    exchange('', 1, 0),
  ];
  const recorded = record([{ url: page, visits: visitTwice(snapshot) }], exchanges);
  expect(
    recorded.exchanges.map(({ url, visit, initiatorUrl }) => [new URL(url).pathname, visit, initiatorUrl]),
  ).toEqual([
    ['/', 1, null],
    ['/a.js', 1, 'https://shop.test/'],
    ['/c.png', 1, null],
    ['/', 2, null],
    ['/c.png', 2, null],
  ]);
});

test('a recording has the time and the title of its first page, and the latencies of each Visit', () => {
  const recorded = record([
    { url: page, visits: visitTwice(alone) },
    { url: null, visits: visitTwice(alone) },
  ]);
  expect(recorded).toMatchObject({ title: 'A page', recordedEpochMs: 1_800_000_000_000, software: 'HTTP-AE' });
  expect(recorded.pages.map(({ number, url }) => [number, url])).toEqual([
    [1, page],
    [2, alone.frames[0]!.url],
  ]);
  expect(recorded.pages[0]!.visits.map(({ totalMs, engine }) => [totalMs, engine])).toEqual([
    [300, 'chrome'],
    [300, 'chrome'],
  ]);
});

test('a page without a title is named after its host, and a long title is cut', () => {
  const titled = (title: string) => ({
    url: page,
    visits: visitTwice({ ...alone, frames: [{ ...alone.frames[0]!, title }] }),
  });
  expect(record([titled('')]).title).toBe('shop.test');
  expect(record([titled('x'.repeat(500))]).title).toHaveLength(200);
});
