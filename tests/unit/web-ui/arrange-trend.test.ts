import type { ChartDataset } from 'chart.js';
import { expect, test } from 'vitest';
import { arrangeTrend, listAxes } from '#core/trend/arrange-trend.ts';
import { findTrendChanges } from '#core/trend/find-trend-changes.ts';
import { describeDefinitions, describeRuns } from '#web-ui/src/pages/evaluation/trend/describe-trend.ts';
import { isHollow, measure, trendFigure, placeRuns } from '#web-ui/src/pages/evaluation/trend/trend-figure.ts';
import { chartInks } from '#web-ui/src/components/chart-inks.ts';
import { makeTrendRun } from '#tests/support/make-trend-run.ts';
import { styleScenarios } from '#web-ui/src/components/scenario/scenario-style.ts';

test('Runs are placed by date, by the version of the engine, or by a label, whose numbers are numbers', () => {
  const runs = [
    makeTrendRun('1', { labels: { build: '9' } }),
    makeTrendRun('2', { labels: { build: '10', branch: 'main' }, engine: 'Chrome/141' }),
    makeTrendRun('3'),
    makeTrendRun('4', { labels: { build: '9' } }),
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

test('Runs of other settings, without figures, or with another primary metric are kept apart', () => {
  const runs = [
    makeTrendRun('1', { settings: 'old' }),
    makeTrendRun('2', { metric: 'baseMs' }),
    makeTrendRun('3', { settings: 'new' }),
    makeTrendRun('4', { isWaiting: true }),
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
  expect(arrangeTrend([makeTrendRun('4', { isWaiting: true })], 'date')).toBeNull();
});

test('the figure and its table have the same values, and absent intervals stay absent', () => {
  const arranged = arrangeTrend([makeTrendRun('1'), makeTrendRun('2')], 'date')!;
  const styles = styleScenarios(arranged.scenarios);
  const draw = (quantity: 'reduction' | 'mean') =>
    trendFigure(arranged, { axis: 'date', quantity, styles, onOpen: () => undefined });
  expect(draw('reduction').table.rows.map((row) => row.slice(3))).toEqual([
    ['A', '3', 'proxy', 30, expect.closeTo(26, 1), expect.closeTo(33.8, 1)],
    ['A', '3', 'proxy', 30, expect.closeTo(26, 1), expect.closeTo(33.8, 1)],
  ]);
  expect(draw('mean').table.rows.map((row) => row.slice(5))[0]).toEqual(['direct', 1000, 980, 1020]);
  expect(measure(arranged.places[0]!.scenarios.get('proxy'), 'mean')).toEqual({ y: 700, yMin: null, yMax: null });
  expect(measure(undefined, 'mean')).toBeNull();
});

test('Runs of other metric definitions are hollow, are named, and no line leads to them', () => {
  const runs = [
    makeTrendRun('1', { versions: [1] }),
    makeTrendRun('2', { versions: [1] }),
    makeTrendRun('3', { versions: [1, 3] }),
    makeTrendRun('4', { versions: [] }),
    makeTrendRun('5'),
    makeTrendRun('6'),
  ];
  const arranged = arrangeTrend(runs, 'date')!;
  expect(arranged.places.map(isHollow)).toEqual([true, true, true, false, false, false]);
  expect(describeDefinitions(arranged.places)).toEqual([
    '3 followed other metric definitions than the newest Run (version 1, 1 and 3): their marks are hollow, and no line joins different definitions.',
    'The metric definitions of 1\u00a0Run are not known.',
  ]);
  expect(describeDefinitions(arrangeTrend([makeTrendRun('1'), makeTrendRun('2')], 'date')!.places)).toEqual([]);

  const styles = styleScenarios(arranged.scenarios);
  const figure = trendFigure(arranged, { axis: 'date', quantity: 'mean', styles, onOpen: () => undefined });
  const { segment } = figure.describe(chartInks.light).data.datasets[0] as ChartDataset<'line'>;
  const colourOf = (segment as { borderColor: (of: object) => string | undefined }).borderColor;
  const lines = runs.slice(1).map((_, index) => colourOf({ p0DataIndex: index, p1DataIndex: index + 1 }) ?? 'joined');
  expect(lines).toEqual(['joined', 'transparent', 'transparent', 'transparent', 'joined']);
});

test('a change of the reduction is drawn over the Runs by date, with its levels and the interval of its place', () => {
  const runs = Array.from({ length: 12 }, (_, index) =>
    makeTrendRun(String(index + 1), { reductions: { proxy: (index < 6 ? 0.3 : 0.2) + 0.01 * Math.sin(7 * index) } }),
  );
  const arranged = arrangeTrend(runs, 'date')!;
  const found = findTrendChanges(arranged);
  const changes = found.kind === 'sought' ? found.changes : [];
  const styles = styleScenarios(arranged.scenarios);
  const draw = (axis: 'date' | 'engine', quantity: 'reduction' | 'mean') =>
    trendFigure(arranged, { axis, quantity, styles, changes, onOpen: () => undefined })
      .describe(chartInks.light)
      .data.datasets.map(({ label, data }) => ({ label, data }));
  const [series, levels, change] = draw('date', 'reduction');
  expect(series!.data).toHaveLength(12);
  const day = (id: number) => Date.parse(runs[id - 1]!.startedAt);
  const step = (day(6) + day(7)) / 2;
  expect(levels).toMatchObject({
    label: 'proxy, level',
    data: [
      { x: day(1), y: expect.closeTo(0.3, 2) as number },
      { x: step, y: expect.closeTo(0.3, 2) as number },
      { x: step, y: expect.closeTo(0.2, 2) as number },
      { x: day(12), y: expect.closeTo(0.2, 2) as number },
    ],
  });
  expect(change).toMatchObject({
    data: [
      { x: step, xMin: step, xMax: step, text: 'proxy: from 30\u00a0% less to 20\u00a0% less between Runs 6 and 7' },
    ],
  });
  expect(draw('engine', 'reduction')).toHaveLength(1);
  expect(draw('date', 'mean')).toHaveLength(2);
});

test('reductions that are factors are on a logarithmic axis of ratios, with the levels and the threshold', () => {
  const runs = Array.from({ length: 12 }, (_, index) =>
    makeTrendRun(String(index + 1), { reductions: { proxy: (index < 6 ? 0.3 : -12) + 0.01 * Math.sin(7 * index) } }),
  );
  const arranged = arrangeTrend(runs, 'date')!;
  const found = findTrendChanges(arranged);
  const figure = trendFigure(arranged, {
    axis: 'date',
    quantity: 'reduction',
    styles: styleScenarios(arranged.scenarios),
    changes: found.kind === 'sought' ? found.changes : [],
    threshold: 0.25,
    onOpen: () => undefined,
  });
  const { data, options } = figure.describe(chartInks.light);
  expect(options!.scales!.y!.type).toBe('logarithmic');
  const [series, levels, change, threshold] = data.datasets.map((each) => each.data as { y: number; text?: string }[]);
  expect(series!.map(({ y }) => Math.round(y))).toEqual([1, 1, 1, 1, 1, 1, 13, 13, 13, 13, 13, 13]);
  expect(series!.at(-1)!.text).toMatch(/^Run 12, proxy: 13\u00a0× as much \(1\d to 1\d\u00a0×\)$/);
  expect(levels!.map(({ y }) => Math.round(y))).toEqual([1, 1, 13, 13]);
  expect(change![0]!.text).toContain('from 30\u00a0% less to 13\u00a0× as much');
  expect(threshold!.map(({ y }) => y)).toEqual([0.75, 0.75]);
});

test('what is said of the intervals holds for every confidence that an Evaluation may have', () => {
  const say = (...ids: string[]) =>
    describeRuns(
      arrangeTrend(
        ids.map((id) => makeTrendRun(id)),
        'date',
      )!,
      false,
    );
  expect(say('1')).toMatch(/^1\scompleted Run, with the interval of its Comparison\. /);
  expect(say('1', '2')).not.toContain('95 %');
});
