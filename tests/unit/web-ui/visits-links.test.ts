import { expect, test } from 'vitest';
import { readVisitFilter, visitsAddress } from '#web-ui/src/api/visit-search.ts';
import { failedStatus } from '#web-ui/src/pages/comparison/scenarios/scenario-table.tsx';

test('the address of Visits is read as it was written, and what is no state is no filter', () => {
  const filter = {
    runId: '7',
    scenario: 'a & b',
    url: 'http://origin/?x=1#y',
    userAgent: null,
    status: 'unsettled' as const,
    atLeastMs: '1350.5',
    atMostMs: null,
    sort: 'total' as const,
    order: 'descending' as const,
  };
  const address = new URL(visitsAddress(filter), 'http://controller');
  expect(address.pathname).toBe('/runs/7/visits');
  expect(readVisitFilter('7', address.searchParams)).toEqual(filter);
  expect(readVisitFilter('7', new URLSearchParams('status=lost')).status).toBeNull();
  expect(readVisitFilter('7', new URLSearchParams('atLeastMs=1e3&sort=luck'))).toMatchObject({
    atLeastMs: null,
    sort: null,
  });
  expect(visitsAddress({ runId: '7' })).toBe('/runs/7/visits');
});

test.for([
  ['count', 0, 'failed'],
  ['exclude', 2, 'failed'],
  ['fail', 0, 'failed'],
  ['fail', 2, null],
] as const)(
  'by the rule "%s", the number of failed Visits with %d that lost objects leads to those of the state %s',
  ([rule, lossyVisits, status]) => expect(failedStatus({ lossyVisits }, rule)).toBe(status),
);
