import { expect, test } from 'vitest';
import { readServerTiming } from '#core/metrics/server-timing.ts';

test('the time of a server is its total, else the longest that it names', () => {
  expect(readServerTiming('db;dur=53.5, app;dur=47, total;dur=101.25')).toBe(101.25);
  expect(readServerTiming('Total;desc="a, b; dur=9";dur=12')).toBe(12);
  expect(readServerTiming('cache;desc="hit, \\"of\\" 5", db; dur = "7.5"')).toBe(7.5);
  expect(readServerTiming(['edge;dur=1', 'origin;dur=80'])).toBe(80);
});

test('a header without a time says nothing', () => {
  for (const header of [undefined, '', 'miss', 'total', 'db;dur=', 'db;dur=-5', 'db;dur=1e9', 'db;dur=0', '"', ';;,'])
    expect(readServerTiming(header)).toBeNull();
});

test('a header of any length is read in time that grows with it', () => {
  expect(readServerTiming(`${'a;dur=1,'.repeat(1_000_000)}total;dur=9`)).toBe(1);
});
