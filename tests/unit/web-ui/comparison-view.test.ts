import { describe, expect, test } from 'vitest';
import type { Cell, MetricComparison, ScenarioComparison } from '#core/comparison/comparison.ts';
import { explainNoReduction } from '#web-ui/src/pages/comparison/scenarios/explain-absence.ts';
import { countMissingUrls } from '#web-ui/src/pages/comparison/scenarios/scenario-table.tsx';
import { describeVisitsPerUrl } from '#web-ui/src/pages/comparison/method/describe-rhythms.ts';
import { describeHttpVersions } from '#web-ui/src/pages/comparison/method/method-table.tsx';
import { forestFigure, placeReasons } from '#web-ui/src/pages/comparison/figures/forest-figure.ts';
import { chartInks } from '#web-ui/src/components/chart-inks.ts';
import { styleScenarios } from '#web-ui/src/components/scenario/scenario-style.ts';
import { axisTicks } from '#web-ui/src/components/axis-ticks.ts';
import { equivalenceBand, reductionExtent } from '#web-ui/src/components/reduction/reduction-extent.ts';
import { gatherRows, hasReductions, sortRows } from '#web-ui/src/pages/comparison/urls/url-rows.ts';

const uncounted = {
  timedOutVisits: 0,
  excludedVisits: 0,
  lossyVisits: 0,
  leftOutVisits: 0,
  failures: null,
  timeouts: null,
};

function makeCell(cell: {
  scenario: string;
  url: string;
  mean: number | null;
  userAgent?: string;
  variables?: Record<string, number>;
}): Cell {
  const { scenario, url, mean, userAgent = null, variables = {} } = cell;
  const estimate = mean === null ? null : { rounds: 5, mean, standardDeviation: 1, halfWidth: 1 };
  return {
    scenario,
    userAgent,
    url,
    label: url,
    variables,
    visits: 5,
    failedVisits: mean === null ? 5 : 0,
    absentVisits: 0,
    ...uncounted,
    estimate,
    distribution: null,
    reduction: null,
  };
}

const metric: MetricComparison = {
  metric: 'totalMs',
  familySize: 1,
  commonPages: { count: 2, of: 3 },
  scenarios: [],
  cells: [
    makeCell({ scenario: 'direct', url: 'a', mean: 300, variables: { images: 1, kb: 9 } }),
    makeCell({ scenario: 'proxy', url: 'a', mean: 100, variables: { images: 1, kb: 9 } }),
    makeCell({ scenario: 'direct', url: 'b', mean: 100, variables: { images: 2 } }),
    makeCell({ scenario: 'proxy', url: 'b', mean: null, variables: { images: 2 } }),
    makeCell({ scenario: 'direct', url: 'c', mean: 200, variables: { images: 3 } }),
    makeCell({ scenario: 'proxy', url: 'c', mean: 50, variables: { images: 3 } }),
    makeCell({ scenario: 'direct', url: 'a', mean: 999, userAgent: 'bob' }),
  ],
};

const reduction = { blocks: 5, ratio: 0.2, low: 0.1, high: 0.3, p: 0.01, adjustedP: 0.01 };
const urlsOf = (rows: { url: string }[]) => rows.map(({ url }) => url);

describe('the table URL × Scenario', () => {
  test('pooled cells and those of one User Agent are never mixed', () => {
    expect(urlsOf(gatherRows(metric, null))).toEqual(['a', 'b', 'c']);
    expect(gatherRows(metric, null)[0]?.cells.get('direct')?.estimate?.mean).toBe(300);
    expect(urlsOf(gatherRows(metric, 'bob'))).toEqual(['a']);
  });

  test('it is ordered by a Scenario’s means either way, and a URL without one comes last both times', () => {
    const rows = gatherRows(metric, null);
    expect(urlsOf(sortRows(rows, { sortedBy: 'direct', isDescending: false }))).toEqual(['b', 'c', 'a']);
    expect(urlsOf(sortRows(rows, { sortedBy: 'proxy', isDescending: false }))).toEqual(['c', 'a', 'b']);
    expect(urlsOf(sortRows(rows, { sortedBy: 'proxy', isDescending: true }))).toEqual(['a', 'c', 'b']);
    expect(urlsOf(sortRows(rows, { sortedBy: null, isDescending: true }))).toEqual(['c', 'b', 'a']);
  });

  test('it has reductions where any URL has one, as those of a single User Agent have not', () => {
    expect(hasReductions(gatherRows(metric, null))).toBe(false);
    const reduced = {
      ...metric,
      cells: metric.cells.map((cell) =>
        cell.scenario === 'proxy' && cell.url === 'c' ? { ...cell, reduction } : cell,
      ),
    };
    expect(hasReductions(gatherRows(reduced, null))).toBe(true);
    expect(hasReductions(gatherRows(reduced, 'bob'))).toBe(false);
  });
});

test('a Scenario without a value of some pages says of how many', () => {
  expect(countMissingUrls(metric, 'direct')).toEqual({ missing: 0, all: 3 });
  expect(countMissingUrls(metric, 'proxy')).toEqual({ missing: 1, all: 3 });
});

test('the axis of the reductions holds the zero line and every interval', () => {
  const { placeOf, ticks } = reductionExtent([{ reduction: null }, { reduction }]);
  const [zero, least, most] = [0, reduction.low, reduction.high].map(placeOf);
  expect(zero).toBeGreaterThan(0);
  expect(least).toBeGreaterThan(zero!);
  expect(most).toBeGreaterThan(least!);
  expect(most).toBeLessThan(100);
  expect(ticks[0]).toEqual({ place: zero, label: 'same' });
});

test('the axis has factors on a logarithmic scale where a Scenario takes more than twice the time, less still to the right', () => {
  const slow = { ...reduction, ratio: -13, low: -15, high: -11 };
  const { placeOf, ticks } = reductionExtent([{ reduction: slow }, { reduction }]);
  expect(ticks.map(({ label }) => label.replace('\u00a0', ' '))).toEqual(['same', '2 ×', '5 ×', '10 ×']);
  const places = [-15, -13, -11, 0, 0.3].map(placeOf);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(placeOf(-3) - placeOf(-7)).toBeCloseTo(placeOf(-1) - placeOf(-3), 10);
});

test('a factor below one tenth is not written as none', () => {
  const [slow, fast] = [
    { ...reduction, ratio: -1.5, low: -2, high: -1.2 },
    { ...reduction, ratio: 0.994, low: 0.993, high: 0.995 },
  ];
  const { ticks } = reductionExtent([{ reduction: slow }, { reduction: fast }]);
  expect(ticks.map(({ label }) => label.replace('\u00a0', ' '))).toEqual(['0.01 ×', '0.1 ×', 'same']);
});

test('the axis of the reductions holds the band of equivalence, whose ratios are 1 − margin and its inverse', () => {
  const contrast = { equivalence: { margin: 0.2 } } as NonNullable<ScenarioComparison['contrast']>;
  const band = equivalenceBand([{ contrast: null }, { contrast }])!;
  expect(band.high).toBe(0.2);
  expect(band.low).toBeCloseTo(-0.25, 10);
  const { placeOf } = reductionExtent([{ reduction: null }], band);
  expect(placeOf(band.low)).toBeGreaterThan(0);
  expect(placeOf(band.high)).toBeLessThan(100);
  expect(equivalenceBand([{ contrast: null }])).toBeNull();
});

test('ticks of an axis are round numbers within it, with zero where it is within', () => {
  expect(axisTicks({ low: 0, high: 1020 }, 6)).toEqual([0, 200, 400, 600, 800, 1000]);
  expect(axisTicks({ low: -0.07, high: 0.12 }, 4).map((tick) => Math.round(100 * tick))).toEqual([-5, 0, 5, 10]);
  expect(Object.is(axisTicks({ low: -1, high: 1 }, 4)[2], 0)).toBe(true);
  expect(axisTicks({ low: 0, high: 0 }, 4)).toEqual([0]);
});

describe('a row of the forest plot without a mark', () => {
  const blocks = [{ block: 1, value: 100 }];
  const scenarioOf = (scenario: string, change: Partial<ScenarioComparison> = {}): ScenarioComparison => ({
    scenario,
    isBaseline: scenario === 'direct',
    visits: 4,
    failedVisits: 0,
    absentVisits: 0,
    ...uncounted,
    estimate: null,
    distribution: null,
    blocks,
    reduction: null,
    meanReduction: null,
    contrast: null,
    reversal: null,
    ...change,
  });
  const none = { blocks: [], absentVisits: 4 };
  const metricOf = (...scenarios: ScenarioComparison[]): MetricComparison => ({
    ...metric,
    metric: 'viewportMs',
    cells: [],
    scenarios,
  });
  const absences = ['direct', 'proxy'].map((scenario) => ({
    metric: 'viewportMs' as const,
    scenario,
    reason: 'unsupported' as const,
    visits: 4,
  }));

  const explain = (scenario: string, ...scenarios: ScenarioComparison[]) =>
    explainNoReduction(scenarios, { scenario, baseline: 'direct', absences });

  test('says whose value is missing, and why', () => {
    expect(explain('proxy', scenarioOf('direct'), scenarioOf('proxy', none))).toBe(
      'None of the 4 Visits under proxy has a value: the engine has no such measurement.',
    );
    expect(explain('proxy', scenarioOf('direct', { failedVisits: 4 }), scenarioOf('proxy', none))).toBe(
      'Of 4 Visits under direct, 4 failed.',
    );
    expect(explain('proxy', scenarioOf('direct'))).toBe('No Visit was made under proxy.');
    expect(explain('proxy', scenarioOf('direct'), scenarioOf('proxy'))).toBe(
      'No Block has a page with a value under both direct and proxy.',
    );
    expect(explain('proxy', scenarioOf('direct'), scenarioOf('proxy', { reduction }))).toBeNull();
    expect(
      explainNoReduction([scenarioOf('direct'), scenarioOf('proxy')], {
        scenario: 'proxy',
        baseline: 'direct',
        verdict: 'not-comparable',
      }),
    ).toBe('Not comparable with direct. The two lose objects in different parts of their Visits.');
  });

  test('has one reason where it is that of all Scenarios, else one for each that names it, and the table has it too', () => {
    const reasonsAmong = (...scenarios: ScenarioComparison[]) =>
      placeReasons(['proxy', 'satellite'], { place: 2, reasonOf: (name) => explain(name, ...scenarios) });
    const failed = { failedVisits: 4 };
    expect(reasonsAmong(scenarioOf('direct', failed), scenarioOf('proxy', none), scenarioOf('satellite'))).toEqual([
      { y: 2, reasons: ['Of 4 Visits under direct, 4 failed.'] },
    ]);
    expect(reasonsAmong(scenarioOf('direct'), scenarioOf('proxy', failed), scenarioOf('satellite', failed))).toEqual([
      { y: 2, reasons: ['Of 4 Visits under proxy, 4 failed.', 'Of 4 Visits under satellite, 4 failed.'] },
    ]);
    expect(
      reasonsAmong(scenarioOf('direct'), scenarioOf('proxy', { reduction }), scenarioOf('satellite', failed)),
    ).toEqual([{ y: expect.closeTo(2.07, 5) as number, reasons: ['Of 4 Visits under satellite, 4 failed.'] }]);
    expect(
      reasonsAmong(scenarioOf('direct'), scenarioOf('proxy', { reduction }), scenarioOf('satellite', { reduction })),
    ).toEqual([]);
    const { table } = forestFigure(
      {
        metrics: [metricOf(scenarioOf('direct'), scenarioOf('proxy', none))],
        scenarios: ['direct', 'proxy'],
        baseline: 'direct',
        primaryMetric: 'viewportMs',
        absences,
      },
      new Map(),
    );
    expect(table.rows[0]!.at(-1)).toBe(
      'None of the 4 Visits under proxy has a value: the engine has no such measurement.',
    );
  });
});

test('a forest plot with a Scenario of more than twice the time has ratios, less time to the right', () => {
  const reductions = new Map([
    ['slow', { ...reduction, ratio: -13, low: -15, high: -11 }],
    ['proxy', reduction],
  ]);
  const scenarios = ['direct', 'slow', 'proxy'].map(
    (scenario) =>
      ({
        scenario,
        isBaseline: scenario === 'direct',
        reduction: reductions.get(scenario) ?? null,
        contrast: null,
      }) as ScenarioComparison,
  );
  const styles = styleScenarios(scenarios.map(({ scenario: name, isBaseline: baseline }) => ({ name, baseline })));
  const compared = { scenarios: ['direct', 'slow', 'proxy'], baseline: 'direct', primaryMetric: 'totalMs' as const };
  const figure = forestFigure({ ...compared, metrics: [{ ...metric, scenarios }], absences: [] }, styles);
  const { data, options } = figure.describe(chartInks.light);
  expect(options!.scales!.x).toMatchObject({ type: 'logarithmic', reverse: true });
  const marks = data.datasets.map((each) => each.data[0] as unknown as Record<string, unknown>);
  expect(marks).toMatchObject([
    { x: 14, xMin: 12, xMax: 16, text: '14\u00a0× as much (12 to 16\u00a0×)' },
    { x: 0.8, xMin: 0.7, xMax: 0.9, text: '20\u00a0% less (10 to 30\u00a0%)' },
  ]);
});

test('what a Pass visits more often than its other pages is listed beside how often it visits each', () => {
  const user = {
    name: 'ann',
    engine: 'http',
    host: 'laptop',
    userClass: null,
    visitsPerUrl: 2,
    restMs: 0,
    startOffsetMs: 0,
  };
  const describe = (repeatedPages: { visits: number; pages: number; first: string }[]) =>
    describeVisitsPerUrl({ userAgents: [user], repeatedPages }).replaceAll('\u00A0', ' ');
  expect(describe([])).toBe('2 in each Pass');
  expect(
    describe([
      { visits: 3, pages: 1, first: 'Start' },
      { visits: 5, pages: 4, first: '5 images' },
    ]),
  ).toBe('2 in each Pass; Start 3 times as often; 5 images and 3 other pages 5 times as often');
});

test('the HTTP versions in use are listed once where all Scenarios have the same, and a rare one is not rounded away', () => {
  const used = (scenario: string, objects: Record<string, number>) =>
    Object.entries(objects).map(([version, count]) => ({ scenario, version, objects: count }));
  const plain = (text: string) => text.replaceAll('\u00A0', ' ');
  expect(describeHttpVersions([...used('direct', { h2: 5 }), ...used('proxy', { h2: 9 })], ['direct', 'proxy'])).toBe(
    'h2',
  );
  expect(
    plain(
      describeHttpVersions(
        [...used('direct', { h2: 98, 'http/1.1': 2 }), ...used('proxy', { 'http/1.1': 100 })],
        ['direct', 'proxy'],
      ),
    ),
  ).toBe('direct: h2 98 %, http/1.1 2.0 %; proxy: http/1.1');
  expect(plain(describeHttpVersions(used('direct', { h2: 99_999, 'http/1.1': 1 }), ['direct', 'proxy']))).toBe(
    'direct: h2 99.99 %, http/1.1 < 0.01 %; proxy: not known',
  );
});
