import { expect, test } from 'vitest';
import { isPrimaryOnly, placeForest } from '#web-ui/src/pages/comparison/figures/forest-figure.ts';
import { latencyIds } from '#core/metrics/index.ts';

const metrics = latencyIds.map((metric) => ({
  metric,
  familySize: null,
  commonPages: { count: 0, of: 0 },
  scenarios: [],
  cells: [],
}));
const groupsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `link ${index}`,
    baseline: `direct ${index}`,
    scenarios: [`proxy ${index}`, `direct ${index}`, `cache ${index}`],
  }));
const compare = (count: number) => {
  const groups = groupsOf(count);
  return {
    metrics,
    groups,
    scenarios: groups.flatMap(({ scenarios }) => scenarios),
    baseline: 'direct 0',
    primaryMetric: 'totalMs' as const,
  };
};

test('without groups, the forest plot has a line for each metric', () => {
  const places = placeForest({ ...compare(1), groups: undefined });
  expect(places.map(({ label, scenarios }) => [label, scenarios])).toEqual([
    ['Base page latency', ['proxy 0', 'cache 0']],
    ['Viewport latency', ['proxy 0', 'cache 0']],
    ['Total page load latency', ['proxy 0', 'cache 0']],
  ]);
});

test('with groups, the metrics are below the name of each group, which says what its Scenarios are compared with', () => {
  const places = placeForest(compare(2));
  expect(places.map(({ label, note }) => [label, note])).toEqual([
    ['link 0', 'vs direct 0'],
    ['Base page latency', ''],
    ['Viewport latency', ''],
    ['Total page load latency', ''],
    ['link 1', 'vs direct 1'],
    ['Base page latency', ''],
    ['Viewport latency', ''],
    ['Total page load latency', ''],
  ]);
  expect(places[7]!.scenarios).toEqual(['proxy 1', 'cache 1']);
});

test('of many groups, each has one line, of the primary metric', () => {
  expect(isPrimaryOnly(compare(12))).toBe(false);
  const places = placeForest(compare(13));
  expect(isPrimaryOnly(compare(13))).toBe(true);
  expect(places).toHaveLength(13);
  expect(places[12]).toMatchObject({
    label: 'link 12',
    metric: { metric: 'totalMs' },
    scenarios: ['proxy 12', 'cache 12'],
  });
});
