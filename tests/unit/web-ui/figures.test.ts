import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cell } from '#core/comparison/comparison.ts';
import { ecdf } from '#core/statistics/sample-quantile.ts';
import { colourUsers } from '#web-ui/src/components/scenario/series-colours.ts';
import { nameFile } from '#web-ui/src/export/save-file.ts';
import { fitDataset } from '#web-ui/src/components/chart/draw-figure.ts';
import { wrapText } from '#web-ui/src/figures/place-names.ts';
import { boxOf, listVisitValues } from '#web-ui/src/pages/comparison/figures/url-figures.ts';
import { groupByClass } from '#web-ui/src/pages/comparison/figures/user-figures.ts';
import { endAtZero, keepTick, valueAxis } from '#web-ui/src/figures/plot-axes.ts';
import { remarksOf } from '#web-ui/src/pages/comparison/urls/visit-list.tsx';
import { isPrimaryOnly, placeForest } from '#web-ui/src/pages/comparison/figures/forest-figure.ts';
import { latencyIds } from '#core/metrics/index.ts';
import { comparePoints } from '#core/comparison/network/compare-points.ts';
import { countPoint } from '#tests/support/counted-point.ts';
import { chartInks } from '#web-ui/src/components/chart-inks.ts';
import { styleScenarios } from '#web-ui/src/components/scenario/scenario-style.ts';
import { formatCsv } from '#web-ui/src/export/figure-table.ts';
import { pointFigure } from '#web-ui/src/pages/comparison/figures/interval-figures.ts';

describe('a figure as CSV', () => {
  test('has its units, keeps numbers as measured, and leaves absent values empty', () => {
    const csv = formatCsv({
      columns: [{ label: 'URL' }, { label: 'latency', unit: 'ms' }],
      rows: [
        ['http://a/,b', 1234.56789],
        ['say "hi"', null],
      ],
    });
    expect(csv).toBe('URL,latency (ms)\r\n"http://a/,b",1234.56789\r\n"say ""hi""",\r\n');
  });

  test('has no text that a spreadsheet takes for a formula, and no negative number that is kept a text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const [, row] = formatCsv({ columns: [{ label: 'x' }], rows: [[text]] }).split('x\r\n');
        expect(row!.replace(/^"/, '')).not.toMatch(/^[=+\-@\t]/);
      }),
    );
    expect(formatCsv({ columns: [{ label: 'x' }], rows: [[-1.5]] })).toBe('x\r\n-1.5\r\n');
  });
});

test('a file is named by letters, digits and dashes, with any title', () => {
  expect(nameFile('Total latency of <b>é</b>: 95 % intervals')).toBe('total-latency-of-b-é-b-95-intervals');
  expect(nameFile('../..')).toBe('figure');
});

test('a box has the quartiles and the whole range of the Visits, and none without a distribution', () => {
  const ecdf = {
    kind: 'measured' as const,
    points: [1, 2, 3, 4, 5, 6, 7, 8].map((value) => ({ value: value * 10, ratio: value / 8 })),
  };
  expect(boxOf({ distribution: { ecdf } as Cell['distribution'] })).toEqual({
    min: 10,
    q1: 20,
    median: 40,
    q3: 60,
    max: 80,
  });
  expect(boxOf({ distribution: null })).toBeNull();
});

describe('points over a box', () => {
  const counts = { visits: 6, failedVisits: 1, absentVisits: 1, leftOutVisits: 0 };
  const cell = {
    ...counts,
    distribution: {
      ecdf: {
        kind: 'measured',
        points: [
          { value: 10, ratio: 0.25 },
          { value: 20, ratio: 0.75 },
          { value: 30, ratio: 1 },
        ],
      },
    } as Cell['distribution'],
  };

  test('are the values of the Visits that have one, equal values as often as they were measured', () => {
    expect(listVisitValues(cell, 30)).toEqual([10, 20, 20, 30]);
    expect(listVisitValues({ ...cell, distribution: null }, 30)).toBeNull();
  });

  test('are left out where there are more than the box has room for', () => {
    expect(listVisitValues(cell, 3)).toBeNull();
  });

  test('are each Visit of any sample, from its distribution alone', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 }), (values) => {
        const sorted = values.toSorted((a, b) => a - b);
        const distribution = { ecdf: { kind: 'measured', points: ecdf(sorted, 50) } } as Cell['distribution'];
        const own = { distribution, visits: values.length, failedVisits: 0, absentVisits: 0, leftOutVisits: 0 };
        expect(listVisitValues(own, 30)).toEqual(sorted);
      }),
    );
  });
});

test('a text is broken at spaces where it does not fit, a word that is too long alone', () => {
  expect(wrapText('Reduction vs direct (right of zero: less time)', 36)).toEqual([
    'Reduction vs direct (right of zero:',
    'less time)',
  ]);
  expect(wrapText('unbreakable word', 4)).toEqual(['unbreakable', 'word']);
});

test('in a saved figure, a line has a gap wherever it has one on the page', () => {
  const borderColor = () => 'transparent';
  expect(fitDataset({ segment: { borderColor }, pointRadius: 6 }, 0.5)).toEqual({
    segment: { borderColor },
    pointRadius: 3,
  });
  expect(fitDataset({ pointRadius: 6 }, 1)).toEqual({ segment: {}, pointRadius: 6 });
});

test('the axis of what is never negative ends at zero, wherever intervals reach; that of a difference does not', () => {
  const tick = (value: number) => ({ value });
  const latency = { min: -500, ticks: [-500, 0, 500].map(tick) };
  endAtZero(latency);
  expect(latency).toEqual({ min: 0, ticks: [0, 500].map(tick) });
  const above = { min: 200, ticks: [200, 400].map(tick) };
  endAtZero(above);
  expect(above).toEqual({ min: 200, ticks: [200, 400].map(tick) });
  const inks = chartInks.light;
  expect(valueAxis({ title: 'ms', inks }).afterBuildTicks).toBe(endAtZero);
  expect(valueAxis({ title: 'reduction', inks, canBeNegative: true })).not.toHaveProperty('afterBuildTicks');
});

test('User Agents of a class stand together, classes in the order of their first', () => {
  const users = [
    ['a', 'gold'],
    ['b', 'bronze'],
    ['c', 'gold'],
    ['d', null],
  ].map(([name, userClass]) => ({ name: name!, userClass: userClass ?? null }));
  expect(groupByClass(users).map(({ name }) => name)).toEqual(['a', 'c', 'b', 'd']);
});

test('nine User Agents have nine colours', () => {
  expect(new Set(colourUsers(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']).values()).size).toBe(9);
});

test('a Visit of the list says what to know before its figure', () => {
  const fine = {
    status: 'ok' as const,
    code: null,
    failedObjects: 0,
    isSettled: true,
    isHidden: false,
    exclusionReason: null,
  };
  expect(remarksOf(fine)).toEqual([]);
  expect(remarksOf({ ...fine, status: 'failed', code: 'timeout', isSettled: null, isHidden: null })).toEqual([
    'failed: timeout',
  ]);
  expect(remarksOf({ ...fine, failedObjects: 3 })).toEqual(['3\u00A0failed objects']);
  expect(remarksOf({ ...fine, isSettled: false, isHidden: true, exclusionReason: 'a backup ran' })).toEqual([
    'never settled',
    'tab hidden',
    'excluded: a backup ran',
  ]);
});

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

const styles = styleScenarios([
  { name: 'direct', baseline: true },
  { name: 'proxy', baseline: false },
]);

const rounds = [1, 2].flatMap((block) => [
  countPoint({ point: 'space', scenario: 'direct', block, packets: 100 + 2 * block }),
  countPoint({ point: 'space', scenario: 'proxy', block, packets: 50 + block, httpRequests: null }),
  countPoint({ point: 'ground', scenario: 'direct', block, packets: 100 }),
]);
const points = comparePoints(rounds, {
  points: ['space', 'ground'],
  scenarios: ['direct', 'proxy'],
  baseline: 'direct',
  confidence: 0.95,
});

test('its CSV has each Capture Point and Scenario with the mean, its interval and the ratio to the baseline', () => {
  const figure = pointFigure(points, { figure: 'bytes', styles });
  const rows = formatCsv(figure.table).trimEnd().split('\r\n');
  expect(rows[0]).toBe('Capture Point,Scenario,Bytes,±,ratio to the baseline,ratio from,ratio to,Rounds');
  const cells = rows.slice(1).map((row) => row.split(','));
  expect(cells.map((row) => row.slice(0, 3))).toEqual([
    ['space', 'direct', '103000'],
    ['space', 'proxy', '51500'],
    ['ground', 'direct', '100000'],
    ['ground', 'proxy', ''],
  ]);
  expect(cells[1]!.slice(4)).toEqual(['0.5', expect.stringMatching(/^0\.5/), expect.stringMatching(/^0\.5/), '2']);
  expect(cells[3]).toEqual(['ground', 'proxy', '', '', '', '', '', '']);
});

test('a bar stands for each Scenario at each Capture Point, in the colour of the Scenario, none where nothing was counted', () => {
  const { type, data } = pointFigure(points, { figure: 'bytes', styles }).describe(chartInks.light);
  expect(type).toBe('barWithErrorBars');
  expect(data.labels).toEqual(['space', 'ground']);
  expect(data.datasets.map(({ label }) => label)).toEqual(['direct (baseline)', 'proxy']);
  expect(data.datasets.map(({ backgroundColor }) => backgroundColor)).toEqual(
    ['direct', 'proxy'].map((name) => styles.get(name)!.colour),
  );
  // t of 1 degree of freedom, 12.706, times the standard error of two values 2000 apart: 1000.
  const [bar] = data.datasets[0]!.data as { y: number; yMax: number }[];
  expect(bar!.y).toBe(103_000);
  expect(bar!.yMax).toBeCloseTo(115_706, 0);
  expect(data.datasets[1]!.data[1]).toMatchObject({ y: Number.NaN });
});

test('requests that were not counted leave no bar', () => {
  const figure = pointFigure(points, { figure: 'httpRequests', styles });
  expect(figure.title).toBe('HTTP requests at each Capture Point, per Round');
  expect(figure.table.rows.map((row) => row[2])).toEqual([31, null, 31, null]);
});

test('the line that marks are compared with has a tick that no narrow axis leaves out', () => {
  const axis = { min: -60, max: 60, ticks: [-60, -20, 20, 60].map((value) => ({ value })) };
  keepTick(axis, 0);
  expect(axis.ticks).toEqual([{ value: -60 }, { value: -20 }, { value: 0, major: true }, { value: 20 }, { value: 60 }]);
  keepTick(axis, 0);
  expect(axis.ticks).toHaveLength(5);
  keepTick(axis, 100);
  expect(axis.ticks).toHaveLength(5);
});
