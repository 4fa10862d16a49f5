import type { ChartDataset } from 'chart.js';
import { expect, test } from 'vitest';
import type { TrendRun } from '#core/protocol/api/evaluation-trend.ts';
import { arrangeTrend, describeDefinitions, listAxes } from '#web-ui/src/pages/evaluation/trend/arrange-trend.ts';
import { isHollow, measure, trendFigure, placeRuns } from '#web-ui/src/pages/evaluation/trend/trend-figure.ts';
import { chartInks } from '#web-ui/src/components/chart-inks.ts';
import { styleScenarios } from '#web-ui/src/components/scenario/scenario-style.ts';

interface Change {
  day?: number;
  labels?: Record<string, string>;
  settings?: string;
  engine?: string;
  versions?: number[];
  metric?: 'totalMs' | 'baseMs';
  isWaiting?: boolean;
}

const run = (id: string, { day = Number(id), labels = {}, settings = 'x', ...trend }: Change = {}): TrendRun => ({
  id,
  startedAt: `2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z`,
  labels,
  settings,
  trend: trend.isWaiting
    ? null
    : {
        metric: trend.metric ?? 'totalMs',
        engineVersions: [trend.engine ?? 'Chrome/140'],
        metricsVersions: trend.versions ?? [3],
        scenarios: [
          { scenario: 'direct', isBaseline: true, rounds: 5, meanMs: 1000, halfWidthMs: 20, reduction: null },
          {
            scenario: 'proxy',
            isBaseline: false,
            rounds: 5,
            meanMs: 700,
            halfWidthMs: null,
            reduction: { ratio: 0.3, low: 0.25, high: 0.34 },
          },
        ],
      },
});

test('Runs are placed by date, by the version of the engine, or by a label, whose numbers are numbers', () => {
  const runs = [
    run('1', { labels: { build: '9' } }),
    run('2', { labels: { build: '10', branch: 'main' }, engine: 'Chrome/141' }),
    run('3'),
    run('4', { labels: { build: '9' } }),
  ];
  expect(listAxes(runs)).toEqual(['date', 'engine', 'label:branch', 'label:build']);
  const order = (axis: Parameters<typeof arrangeTrend>[1]) =>
    arrangeTrend(runs, axis)!.places.map(({ runId, value }) => [runId, value]);
  expect(order('label:build')).toEqual([
    ['1', '9'],
    ['4', '9'],
    ['2', '10'],
    ['3', ''],
  ]);
  expect(order('engine').at(-1)).toEqual(['2', 'Chrome/141']);
  expect(order('date').map(([id]) => id)).toEqual(['1', '2', '3', '4']);

  const { positions } = placeRuns(arrangeTrend(runs, 'label:build')!.places, 'label:build');
  expect(positions).toEqual([0.875, 1.125, 2, 3]);
});

test('Runs of other settings, without figures, or with another main metric are kept apart', () => {
  const runs = [
    run('1', { settings: 'old' }),
    run('2', { metric: 'baseMs' }),
    run('3', { settings: 'new' }),
    run('4', { isWaiting: true }),
  ];
  const arranged = arrangeTrend(runs, 'date')!;
  expect(arranged).toMatchObject({ metric: 'totalMs', waiting: 1, otherMetric: 1 });
  expect(arranged.places.map(({ runId, settings, hasNewestSettings }) => [runId, settings, hasNewestSettings])).toEqual(
    [
      ['1', 'A', false],
      ['3', 'B', true],
    ],
  );
  expect(arranged.scenarios).toEqual([
    { name: 'direct', baseline: true },
    { name: 'proxy', baseline: false },
  ]);
  expect(arrangeTrend([run('4', { isWaiting: true })], 'date')).toBeNull();
});

test('the figure and its table have the same values, and absent intervals stay absent', () => {
  const arranged = arrangeTrend([run('1'), run('2')], 'date')!;
  const styles = styleScenarios(arranged.scenarios);
  const draw = (quantity: 'reduction' | 'mean') =>
    trendFigure(arranged, { axis: 'date', quantity, styles, onOpen: () => undefined });
  expect(draw('reduction').table.rows.map((row) => row.slice(3))).toEqual([
    ['A', '3', 'proxy', 30, 25, 34],
    ['A', '3', 'proxy', 30, 25, 34],
  ]);
  expect(draw('mean').table.rows.map((row) => row.slice(5))[0]).toEqual(['direct', 1000, 980, 1020]);
  expect(measure(arranged.places[0]!.scenarios.get('proxy'), 'mean')).toEqual({ y: 700, yMin: null, yMax: null });
  expect(measure(undefined, 'mean')).toBeNull();
});

test('Runs of other metric definitions are hollow, are named, and no line leads to them', () => {
  const runs = [
    run('1', { versions: [1] }),
    run('2', { versions: [1] }),
    run('3', { versions: [1, 3] }),
    run('4', { versions: [] }),
    run('5'),
    run('6'),
  ];
  const arranged = arrangeTrend(runs, 'date')!;
  expect(arranged.places.map(isHollow)).toEqual([true, true, true, false, false, false]);
  expect(describeDefinitions(arranged.places)).toEqual([
    '3 followed other metric definitions than the newest Run (version 1, 1 and 3): their marks are hollow, and no line joins different definitions.',
    'The metric definitions of 1\u00a0Run are not known.',
  ]);
  expect(describeDefinitions(arrangeTrend([run('1'), run('2')], 'date')!.places)).toEqual([]);

  const styles = styleScenarios(arranged.scenarios);
  const figure = trendFigure(arranged, { axis: 'date', quantity: 'mean', styles, onOpen: () => undefined });
  const { segment } = figure.describe(chartInks.light).data.datasets[0] as ChartDataset<'line'>;
  const colourOf = (segment as { borderColor: (of: object) => string | undefined }).borderColor;
  const lines = runs.slice(1).map((_, index) => colourOf({ p0DataIndex: index, p1DataIndex: index + 1 }) ?? 'joined');
  expect(lines).toEqual(['joined', 'transparent', 'transparent', 'transparent', 'joined']);
});
