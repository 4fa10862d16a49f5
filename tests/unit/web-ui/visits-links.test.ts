import { expect, test } from 'vitest';
import { causeIds } from '#core/causes/causes.ts';
import { blockPairAddress, medianPairAddress, pairAddress, readPairSearch } from '#web-ui/src/api/pair-search.ts';
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

test('the address of two Visits is read as it was written, whatever they are of', () => {
  const read = (address: string) => {
    const { pathname, searchParams } = new URL(address, 'http://controller');
    expect(pathname).toMatch(/^\/runs\/7\//);
    return readPairSearch(searchParams);
  };
  const none = { first: null, second: null, userAgent: null, url: null, scenarios: null, block: null, cause: null };
  const page = { url: 'http://origin/?x=1#y', userAgent: 'alice', metric: 'viewportMs' as const };
  const arms = { first: 'a & b', second: 'c' };
  expect(read(medianPairAddress({ runId: '7', ...page, ...arms }))).toEqual({ ...none, ...page, scenarios: arms });
  expect(read(blockPairAddress({ runId: '7', ...page, ...arms, block: 3, cause: causeIds[0] }))).toEqual({
    ...{ ...none, ...page, scenarios: arms, block: 3, cause: causeIds[0] },
  });
  const { userAgent, metric } = page;
  expect(read(pairAddress('7', { first: '11', second: '12', userAgent, metric }))).toEqual({
    ...{ ...none, first: '11', second: '12', userAgent, metric },
  });
});

test('of an address of two Visits that was cut off, what is left counts, and what is none is left out', () => {
  const read = (text: string) => readPairSearch(new URLSearchParams(text));
  expect(read('scenario=a').scenarios).toBeNull();
  expect(read('with=b').scenarios).toBeNull();
  expect(read('scenario=a&with=b').scenarios).toEqual({ first: 'a', second: 'b' });
  expect(read('metric=speed&block=1e3&cause=luck')).toMatchObject({ metric: 'totalMs', block: null, cause: null });
});
