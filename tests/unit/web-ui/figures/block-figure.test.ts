import { expect, test } from 'vitest';
import type { MetricComparison, ScenarioComparison } from '#core/comparison/comparison.ts';
import { chartInks } from '#web-ui/src/components/chart-inks.ts';
import type { ScenarioStyle } from '#web-ui/src/components/scenario/scenario-style.ts';
import { listPaired } from '#web-ui/src/pages/comparison/block-section.tsx';
import { blockFigure } from '#web-ui/src/pages/comparison/figures/block-figure.ts';

const scenarioOf = (scenario: string, blocks: Record<number, number>) =>
  ({
    ...{ scenario, estimate: null, contrast: null, reduction: null },
    blocks: Object.entries(blocks).map(([block, value]) => ({ block: Number(block), value })),
  }) as unknown as ScenarioComparison;
const metric = {
  metric: 'totalMs',
  scenarios: [
    scenarioOf('direct', { 1: 100, 2: 110, 3: 120 }),
    scenarioOf('proxy', { 1: 90, 2: 130 }),
    scenarioOf('late', { 7: 90 }),
  ],
} as unknown as MetricComparison;
const compared = { scenarios: ['direct', 'proxy', 'late', 'never'], baseline: 'direct' };

test('Scenarios are drawn by Block that have one together with their baseline, which is not drawn beside itself', () => {
  expect(listPaired(compared, metric)).toEqual(['proxy']);
});

test('a Block joins the mean under the baseline with that under the Scenario, dashed where it is slower', () => {
  const look = { colour: '#000000', marker: 'circle' } as unknown as ScenarioStyle;
  const styles = new Map(compared.scenarios.map((name) => [name, look]));
  const figure = blockFigure({
    metric,
    scenarios: ['proxy'],
    compared: { ...compared, countedFrom: 'navigation-start' },
    styles,
  });
  expect(figure.table.rows.map((row) => row.slice(0, 5))).toEqual([
    ['proxy', 'direct', 1, 100, 90],
    ['proxy', 'direct', 2, 110, 130],
  ]);
  const [faster, slower] = figure.describe(chartInks.light).data.datasets as unknown as {
    borderDash: number[];
    data: { x: number; y: number }[];
  }[];
  expect([faster!.borderDash, slower!.borderDash]).toEqual([[], [5, 4]]);
  expect([faster!, slower!].map(({ data }) => data.slice(0, 2).map(({ x, y }) => [x, y]))).toEqual([
    [
      [1, 100],
      [2, 90],
    ],
    [
      [1, 110],
      [2, 130],
    ],
  ]);
});
