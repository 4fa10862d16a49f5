import { expect, it } from 'vitest';
import { EvaluationSummarySchema } from '#core/protocol/api/evaluation-summary.ts';
import { sortRows } from '#web-ui/src/pages/evaluations/evaluation-table.tsx';
import { filterEvaluations } from '#web-ui/src/pages/evaluations/evaluations-page.tsx';
import { hasFilters } from '#web-ui/src/components/list/list-filters.tsx';
import { readRunSearch } from '#web-ui/src/components/run/run-list.tsx';

const evaluation = (name: string, own: object = {}) =>
  EvaluationSummarySchema.parse({
    id: name,
    name,
    description: '',
    scenarios: [{ name: 'HTTP/2', baseline: true }],
    userAgents: [],
    urlCount: 1,
    updatedAt: '2026-11-20T12:00:00Z',
    lastRun: null,
    ...own,
  });
const evaluations = [evaluation('Rain', { tags: ['LEO'] }), evaluation('Sun', { note: 'with rain at noon' })];
const find = (search: string) => filterEvaluations(evaluations, new URLSearchParams(search)).map(({ name }) => name);

it('finds Evaluations by words, tags and the outcome of their last Run', () => {
  expect(find('')).toEqual(['Rain', 'Sun']);
  expect(find('words=RAIN')).toEqual(['Rain', 'Sun']);
  expect(find('words=rain+noon')).toEqual(['Sun']);
  expect(find('words=http/2+leo')).toEqual(['Rain']);
  expect(find('tag=LEO')).toEqual(['Rain']);
  expect(find('outcome=faster')).toEqual([]);
});

it('sorts rows without a value last, both ways', () => {
  const rows = [{ value: null }, { value: 2 }, { value: 10 }];
  const sort = (order: 'ascending' | 'descending') =>
    sortRows(rows, ({ value }) => value, order).map(({ value }) => value);
  expect(sort('ascending')).toEqual([2, 10, null]);
  expect(sort('descending')).toEqual([10, 2, null]);
});

it('leaves out what an address must not hold', () => {
  const search = new URLSearchParams({ words: 'rain', state: 'lost', sort: 'outcome', tag: 'x'.repeat(50) });
  expect(readRunSearch(search)).toEqual({ words: 'rain', sort: 'outcome', order: 'descending' });
});

it('has filters as soon as the address has one of them', () => {
  const has = (search: string) => hasFilters(new URLSearchParams(search));
  expect(['words=a', 'state=failed', 'outcome=shorter', 'tag=LEO', 'tag=a&words=b'].map(has)).toEqual(
    Array(5).fill(true),
  );
  expect(['', 'sort=name&order=ascending'].map(has)).toEqual([false, false]);
});
