import { expect, test } from 'vitest';
import type { Comparison } from '#core/comparison/comparison.ts';
import { methodQuery } from '#web-ui/src/api/queries.ts';
import { UserLatencies } from '#web-ui/src/pages/comparison/network/users-section.tsx';
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
