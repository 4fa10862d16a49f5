import { expect, test } from 'vitest';
import {
  describeRow,
  describeRows,
  findCommonDifferences,
  hasLost,
  isDiffering,
} from '#web-ui/src/pages/compare-visits/describe-differences.ts';
import { limitThroughput } from '#web-ui/src/pages/visit/throughput-foot.tsx';
import { matchRows } from '#web-ui/src/waterfall/match-rows.ts';
import { waterfallRow } from '../support/waterfall-row.ts';

const h2 = { protocol: 'h2' };
const names = ['old', 'new'] as const;
const plain = (text: string) => text.replaceAll('\u00A0', ' ');

test('what all rows differ in is said once, and a row says what it differs in beside that', () => {
  const rows = matchRows(
    [waterfallRow('/a'), waterfallRow('/b'), waterfallRow('/c'), waterfallRow('/gone')],
    [
      waterfallRow('/a', h2),
      waterfallRow('/b', { ...h2, receivedBytes: 90_000 }),
      waterfallRow('/c', { ...h2, failure: 'reset', status: null }),
    ],
  );
  const common = findCommonDifferences(rows);
  expect([...common]).toEqual(['http/1.1 → h2']);
  expect(rows.map((each) => describeRow(each, { common, names }))).toEqual([
    '',
    'size',
    'status 200 → —; second failed',
    'only old',
  ]);
  expect(rows.map((each) => isDiffering(each, common))).toEqual([false, true, true, true]);
  expect(rows.map(hasLost)).toEqual([false, false, true, false]);
  expect(plain(describeRows(rows, common))).toBe(
    '4 requests, 1 in one Visit only, 2 with another status, size or protocol; the other 3: http/1.1 → h2',
  );
});

test('a difference that one row lacks, or that there is only one row of, is said in the rows', () => {
  const differing = matchRows([waterfallRow('/a'), waterfallRow('/b')], [waterfallRow('/a', h2), waterfallRow('/b')]);
  expect([...findCommonDifferences(differing)]).toEqual([]);
  expect(differing.map((each) => describeRow(each, { common: new Set(), names }))).toEqual(['http/1.1 → h2', '']);
  expect([...findCommonDifferences(matchRows([waterfallRow('/a')], [waterfallRow('/a', h2)]))]).toEqual([]);
  const alike = matchRows([waterfallRow('/a'), waterfallRow('/b')], [waterfallRow('/a', h2), waterfallRow('/b', h2)]);
  expect(plain(describeRows(alike, findCommonDifferences(alike)))).toBe(
    '2 requests, the same in both; all 2: http/1.1 → h2',
  );
});

test('throughput has the link as its top, unless that would flatten it to a line', () => {
  expect(limitThroughput(900, 1000)).toEqual({ topKbps: 1000, isLinkAbove: false });
  expect(limitThroughput(300, 8000)).toEqual({ topKbps: 300, isLinkAbove: true });
  expect(limitThroughput(0, 8000)).toEqual({ topKbps: 8000, isLinkAbove: false });
  expect(limitThroughput(1200, 1000)).toEqual({ topKbps: 1200, isLinkAbove: false });
  expect(limitThroughput(0, null)).toEqual({ topKbps: 1, isLinkAbove: false });
});
