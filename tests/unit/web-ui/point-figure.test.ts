import { expect, test } from 'vitest';
import { comparePoints } from '#core/comparison/network/compare-points.ts';
import { countPoint } from '#tests/support/counted-point.ts';
import { chartInks } from '#web-ui/src/components/chart-inks.ts';
import { styleScenarios } from '#web-ui/src/components/scenario/scenario-style.ts';
import { formatCsv } from '#web-ui/src/export/figure-table.ts';
import { pointFigure } from '#web-ui/src/pages/comparison/figures/interval-figures.ts';

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
