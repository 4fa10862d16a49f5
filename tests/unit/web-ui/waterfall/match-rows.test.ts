import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WaterfallRow } from '#web-ui/src/waterfall/build-waterfall.ts';
import { matchRows } from '#web-ui/src/waterfall/match-rows.ts';

const origin = 'http://origin.test';
let made = 0;
function makeRow(path: string, change: Partial<WaterfallRow> = {}): WaterfallRow {
  return {
    key: String(made++),
    url: `${origin}${path}`,
    type: 'image',
    startMs: 0,
    endMs: 10,
    phases: [],
    viewportNeed: null,
    frameUrl: null,
    failure: null,
    status: 200,
    protocol: 'http/1.1',
    fromCache: false,
    connection: 1,
    serverAddress: null,
    initiatorUrl: null,
    receivedBytes: 10_000,
    decodedBytes: 9000,
    ...change,
  };
}

const urlsOf = (rows: ReturnType<typeof matchRows>) => rows.map(({ first, second }) => [first?.url, second?.url]);

test('requests match by address, in the order in which either began; the rest is of one Visit alone', () => {
  const first = [makeRow('/page'), makeRow('/a', { startMs: 50 }), makeRow('/gone', { startMs: 60 })];
  const second = [makeRow('/page'), makeRow('/new', { startMs: 40 }), makeRow('/a', { startMs: 70 })];
  expect(urlsOf(matchRows(first, second))).toEqual([
    [`${origin}/page`, `${origin}/page`],
    [undefined, `${origin}/new`],
    [`${origin}/a`, `${origin}/a`],
    [`${origin}/gone`, undefined],
  ]);
});

test('the same path of another origin matches, but an equal address comes first', () => {
  const first = [makeRow('/a?x=1')];
  const other = makeRow('/a?x=1', { url: 'https://other.test/a?x=1' });
  expect(matchRows(first, [other])[0]).toMatchObject({ first: first[0], second: other });
  const same = makeRow('/a?x=1', { startMs: 5 });
  const both = matchRows(first, [other, same]);
  expect(both[0]).toMatchObject({ first: first[0], second: same });
  expect(both[1]).toMatchObject({ first: null, second: other });
});

test('repeated requests match in their order', () => {
  const first = [makeRow('/poll', { startMs: 1 }), makeRow('/poll', { startMs: 2 })];
  const second = [makeRow('/poll', { startMs: 1 }), makeRow('/poll', { startMs: 3 }), makeRow('/poll', { startMs: 9 })];
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
  expect(matchRows([makeRow('/a')], [makeRow('/a', change)])[0]!.differences).toEqual(differences);
});

test('each request of both Visits is in one row, in the order of time', () => {
  const rows = fc.array(
    fc.record({ path: fc.constantFrom('/a', '/b', '/c?d', '/e'), startMs: fc.integer({ min: 0, max: 50 }) }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(rows, rows, (one, other) => {
      const byStart = (list: typeof one) =>
        list.toSorted((a, b) => a.startMs - b.startMs).map(({ path, startMs }) => makeRow(path, { startMs }));
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
