import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WaterfallRow } from '#web-ui/src/waterfall/build-waterfall.ts';
import { matchRows } from '#web-ui/src/waterfall/match-rows.ts';
import { rowOrigin, waterfallRow } from '../support/waterfall-row.ts';

const urlsOf = (rows: ReturnType<typeof matchRows>) => rows.map(({ first, second }) => [first?.url, second?.url]);

test('requests match by address, in the order in which either began; the rest is of one Visit alone', () => {
  const first = [waterfallRow('/page'), waterfallRow('/a', { startMs: 50 }), waterfallRow('/gone', { startMs: 60 })];
  const second = [waterfallRow('/page'), waterfallRow('/new', { startMs: 40 }), waterfallRow('/a', { startMs: 70 })];
  expect(urlsOf(matchRows(first, second))).toEqual([
    [`${rowOrigin}/page`, `${rowOrigin}/page`],
    [undefined, `${rowOrigin}/new`],
    [`${rowOrigin}/a`, `${rowOrigin}/a`],
    [`${rowOrigin}/gone`, undefined],
  ]);
});

test('the same path of another origin matches, but an equal address comes first', () => {
  const first = [waterfallRow('/a?x=1')];
  const other = waterfallRow('/a?x=1', { url: 'https://other.test/a?x=1' });
  expect(matchRows(first, [other])[0]).toMatchObject({ first: first[0], second: other });
  const same = waterfallRow('/a?x=1', { startMs: 5 });
  const both = matchRows(first, [other, same]);
  expect(both[0]).toMatchObject({ first: first[0], second: same });
  expect(both[1]).toMatchObject({ first: null, second: other });
});

test('repeated requests match in their order', () => {
  const first = [waterfallRow('/poll', { startMs: 1 }), waterfallRow('/poll', { startMs: 2 })];
  const second = [
    waterfallRow('/poll', { startMs: 1 }),
    waterfallRow('/poll', { startMs: 3 }),
    waterfallRow('/poll', { startMs: 9 }),
  ];
  expect(matchRows(first, second).map((row) => [row.first?.startMs, row.second?.startMs])).toEqual([
    [1, 1],
    [2, 3],
    [undefined, 9],
  ]);
});

test.each([
  ['nothing', {}, []],
  ['a head that is a little longer', { receivedBytes: 10_400 }, []],
  ['a small object with a head', { receivedBytes: null }, []],
  ['an image of half its size', { receivedBytes: 5000 }, ['size']],
  ['the protocol', { protocol: 'h2' }, ['protocol']],
  ['a protocol that nobody reports', { protocol: null }, []],
  ['a failure', { failure: 'net::ERR_FAILED', status: null }, ['status', 'failure']],
  ['the cache', { fromCache: true, status: 304 }, ['status', 'cache']],
] as const)('%s', (_, change, differences) => {
  expect(matchRows([waterfallRow('/a')], [waterfallRow('/a', change)])[0]!.differences).toEqual(differences);
});

test('each request of both Visits is in one row, in the order of time', () => {
  const rows = fc.array(
    fc.record({ path: fc.constantFrom('/a', '/b', '/c?d', '/e'), startMs: fc.integer({ min: 0, max: 50 }) }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(rows, rows, (one, other) => {
      const byStart = (list: typeof one) =>
        list.toSorted((a, b) => a.startMs - b.startMs).map(({ path, startMs }) => waterfallRow(path, { startMs }));
      const [first, second] = [byStart(one), byStart(other)];
      const matched = matchRows(first, second);
      expect(matched.flatMap((row) => row.first ?? []).toSorted(byKey)).toEqual(first.toSorted(byKey));
      expect(matched.flatMap((row) => row.second ?? []).toSorted(byKey)).toEqual(second.toSorted(byKey));
      expect(new Set(matched.map(({ key }) => key)).size).toBe(matched.length);
      for (const row of matched) if (row.first && row.second) expect(row.first.url).toBe(row.second.url);
    }),
  );
});

const byKey = (one: WaterfallRow, other: WaterfallRow) => Number(one.key) - Number(other.key);
