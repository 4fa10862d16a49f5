import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { NextPageButton } from '#web-ui/src/components/next-page-button.tsx';
import type { Cell, Comparison, MetricComparison } from '#core/comparison/comparison.ts';
import { methodQuery } from '#web-ui/src/api/queries.ts';
import { UserLatencies } from '#web-ui/src/pages/comparison/network/users-section.tsx';
import { UserLatencies as UrlsOfUser } from '#web-ui/src/pages/comparison/urls/user-latencies.tsx';
import type { View } from '#web-ui/src/pages/comparison/use-view.ts';
import { renderInPage, textsOf } from './support/render-in-page.ts';

function headingOf(userClasses: (string | null)[] | null, users: object = { kind: 'measured', scenarios: [] }): string {
  const userAgents = ['alice', 'bob'];
  const comparison = {
    ...{ runId: '7', users, userAgents, primaryMetric: 'totalMs', countedFrom: 'navigation-start' },
    ...{ scenarios: [], baseline: 'direct' },
  } as unknown as Comparison;
  const method = { userAgents: userAgents.map((name, index) => ({ name, userClass: userClasses?.[index] ?? null })) };
  const answers = userClasses === null ? [] : [[methodQuery('7').queryKey, method] as const];
  const texts = textsOf(renderInPage(UserLatencies, { comparison, styles: new Map() }, { answers }));
  return texts.slice(0, 2).join(' ');
}

test('latencies of users are by class where any of them has one, else by User Agent', () => {
  expect(headingOf(['gold', null])).toBe('Total page load latency by class');
  expect(headingOf([null, null])).toBe('Total page load latency by User Agent');
  expect(headingOf(null)).toBe('Total page load latency by User Agent');
  expect(headingOf(null, { kind: 'absent' })).toBe('');
});

test('if more cannot be loaded, an alert says so, and what was there stays', () => {
  const client = new QueryClient();
  const asked = {
    userAgent: 'alice',
    metric: 'totalMs',
    from: 'navigation-start',
    sortedBy: null,
    isDescending: false,
  };
  const queryKey = ['runs', '7', 'user-cells', { ...asked, url: null }, '1 completed 0 0'];
  const cell = {
    scenario: 'direct',
    userAgent: 'alice',
    url: 'http://a/',
    label: 'page a',
    variables: {},
    reduction: null,
  };
  const counts = { visits: 1, failedVisits: 0, absentVisits: 1, excludedVisits: 0, lossyVisits: 0, leftOutVisits: 0 };
  const cells = [{ ...cell, ...counts, estimate: null, distribution: null } as unknown as Cell];
  client.setQueryData(queryKey, { pages: [{ cells, urls: 300, next: 1 }], pageParams: [0] });
  client
    .getQueryCache()
    .find({ queryKey })!
    .setState({
      status: 'error',
      error: new Error('The Controller did not answer'),
      fetchMeta: { fetchMore: { direction: 'forward' } },
    });
  const comparison = {
    ...{ runId: '7', roundsCounted: 1, runState: 'completed', exclusions: [], absences: [], confidence: 0.95 },
    ...{ scenarios: ['direct'], baseline: 'direct', failedObjects: { rule: 'count' } },
  } as unknown as Comparison;
  const metric = { metric: 'totalMs', scenarios: [], cells: [] } as unknown as MetricComparison;
  const view = { sortedBy: null, isDescending: false, openUrl: null } as View;
  const props = { comparison, metric, userAgent: 'alice', styles: new Map(), view, changeView: () => undefined };
  const texts = textsOf(renderInPage(UrlsOfUser, props, { client }));
  expect(texts).toEqual(expect.arrayContaining(['No more can be shown', 'Load more', 'page a']));
  expect(texts).not.toContain('The URLs of alice cannot be shown');
});

test('the button for more is alone where nothing failed', () => {
  const query = {
    ...{ hasNextPage: true, isFetchingNextPage: false, isFetchNextPageError: false, error: null },
    fetchNextPage: () => Promise.resolve(),
  };
  expect(textsOf(renderInPage(NextPageButton, { query, children: 'Load more' }))).toEqual(['Load more']);
});
