import { describe, expect, test } from 'vitest';
import type { Cell, MetricComparison } from '#core/statistics/comparison.ts';
import { countMissingUrls } from '#web-ui/src/pages/comparison/count-missing-urls.ts';
import { explainAbsence } from '#web-ui/src/pages/comparison/explain-absence.ts';
import { reductionExtent } from '#web-ui/src/pages/comparison/reduction-extent.ts';
import { gatherRows, sharedVariables, sortRows } from '#web-ui/src/pages/comparison/url-rows.ts';

const uncounted = { timedOutVisits: 0, excludedVisits: 0, failures: null, timeouts: null };

function makeCell(cell: { scenario: string; url: string; mean: number | null; userAgent?: string; variables?: Record<string, number> }): Cell {
  const { scenario, url, mean, userAgent = null, variables = {} } = cell;
  const estimate = mean === null ? null : { rounds: 5, mean, standardDeviation: 1, halfWidth: 1 };
  return { scenario, userAgent, url, label: url, variables, visits: 5, failedVisits: mean === null ? 5 : 0, absentVisits: 0, ...uncounted, estimate, distribution: null, reduction: null };
}

const metric: MetricComparison = {
  metric: 'totalMs',
  familySize: 1,
  commonPages: { count: 2, of: 3 },
  scenarios: [],
  cells: [
    makeCell({ scenario: 'direct', url: 'a', mean: 300, variables: { images: 1, kb: 9 } }),
    makeCell({ scenario: 'proxy', url: 'a', mean: 100, variables: { images: 1, kb: 9 } }),
    makeCell({ scenario: 'direct', url: 'b', mean: 100, variables: { images: 2 } }),
    makeCell({ scenario: 'proxy', url: 'b', mean: null, variables: { images: 2 } }),
    makeCell({ scenario: 'direct', url: 'c', mean: 200, variables: { images: 3 } }),
    makeCell({ scenario: 'proxy', url: 'c', mean: 50, variables: { images: 3 } }),
    makeCell({ scenario: 'direct', url: 'a', mean: 999, userAgent: 'bob' }),
  ],
};

const urlsOf = (rows: { url: string }[]) => rows.map(({ url }) => url);

describe('the table URL × Scenario', () => {
  test('pooled cells and those of one User Agent are never mixed', () => {
    expect(urlsOf(gatherRows(metric, null))).toEqual(['a', 'b', 'c']);
    expect(gatherRows(metric, null)[0]?.cells.get('direct')?.estimate?.mean).toBe(300);
    expect(urlsOf(gatherRows(metric, 'bob'))).toEqual(['a']);
  });

  test('it is ordered by a Scenario’s means either way, and a URL without one comes last both times', () => {
    const rows = gatherRows(metric, null);
    expect(urlsOf(sortRows(rows, { sortedBy: 'direct', isDescending: false }))).toEqual(['b', 'c', 'a']);
    expect(urlsOf(sortRows(rows, { sortedBy: 'proxy', isDescending: false }))).toEqual(['c', 'a', 'b']);
    expect(urlsOf(sortRows(rows, { sortedBy: 'proxy', isDescending: true }))).toEqual(['a', 'c', 'b']);
    expect(urlsOf(sortRows(rows, { sortedBy: null, isDescending: true }))).toEqual(['c', 'b', 'a']);
  });

  test('only a variable that every URL has can be an axis', () => {
    expect(sharedVariables(gatherRows(metric, null))).toEqual(['images']);
    expect(sharedVariables([])).toEqual([]);
  });
});

test('a Scenario without a value of some pages says of how many', () => {
  expect(countMissingUrls(metric, 'direct')).toEqual({ missing: 0, all: 3 });
  expect(countMissingUrls(metric, 'proxy')).toEqual({ missing: 1, all: 3 });
});

test('what is absent has its reason', () => {
  expect(explainAbsence(null)).toBe('No Visit was made.');
  expect(explainAbsence({ visits: 1, failedVisits: 1, absentVisits: 0, excludedVisits: 0 })).toBe('Of 1 Visit, 1 failed.');
  expect(explainAbsence({ visits: 0, failedVisits: 0, absentVisits: 0, excludedVisits: 2 })).toBe('Every Visit, 2 in all, is excluded.');
  expect(explainAbsence({ visits: 5, failedVisits: 0, absentVisits: 0, excludedVisits: 0 })).toBe('No page has a value in every Scenario.');
  expect(explainAbsence({ visits: 5, failedVisits: 3, absentVisits: 2, excludedVisits: 0 })).toBe('Of 5 Visits, 3 failed and 2 loaded but have no value of this metric, such as a page that never settled.');
});

test('the axis of the reductions holds the zero line and every interval', () => {
  const { low, high } = reductionExtent([{ reduction: null }, { reduction: { blocks: 5, ratio: 0.2, low: 0.1, high: 0.3, p: 0.01, adjustedP: 0.01 } }]);
  expect(low).toBeLessThan(0);
  expect(high).toBeGreaterThan(0.3);
});
