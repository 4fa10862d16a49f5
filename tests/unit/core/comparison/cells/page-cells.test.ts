import { expect, test } from 'vitest';
import { listCells, pageCells } from '#core/comparison/cells/describe-cells.ts';
import { design, gather, visit } from '../support/visits.ts';

const urls = ['a', 'b', 'c'].map((url) => ({ url, label: url, variables: {} }));
const visits = [
  visit({ url: 'a', value: 300 }),
  visit({ url: 'b', value: 100 }),
  visit({ url: 'c', value: null, isFailed: true }),
  visit({ url: 'a', scenario: 'proxy', value: 50 }),
];
const cells = listCells(gather(visits).cells, {
  ...design,
  urls,
  metric: 'totalMs',
  userAgent: 'alice',
  hasEcdf: true,
});
const page = (search: Partial<Parameters<typeof pageCells>[1]>) => {
  const { cells: found, ...rest } = pageCells(cells, { order: 'ascending', after: 0, limit: 2, ...search });
  return { ...rest, urls: found.map(({ url, scenario }) => `${url} ${scenario}`), of: rest.urls };
};

test('cells come by URL, some URLs at a time, with all Scenarios of each', () => {
  expect(page({})).toMatchObject({ urls: ['a direct', 'a proxy', 'b direct'], of: 3, next: 2 });
  expect(page({ after: 2 })).toMatchObject({ urls: ['c direct'], of: 3, next: null });
  expect(page({ order: 'descending' }).urls).toEqual(['c direct', 'b direct']);
  expect(page({ url: 'b' })).toMatchObject({ urls: ['b direct'], of: 1, next: null });
});

test('a Scenario sorts them by its means, and URLs without one come last either way', () => {
  const sorted = { sort: 'direct', limit: 3 };
  expect(page(sorted).urls).toEqual(['b direct', 'a direct', 'a proxy', 'c direct']);
  expect(page({ ...sorted, order: 'descending' }).urls).toEqual(['a direct', 'a proxy', 'b direct', 'c direct']);
});
