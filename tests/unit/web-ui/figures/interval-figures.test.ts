import { describe, expect, test } from 'vitest';
import type { Arm } from '#core/comparison/arms.ts';
import type { Cell } from '#core/comparison/comparison.ts';
import type { Estimate } from '#core/comparison/estimate.ts';
import { comparePoints } from '#core/comparison/network/compare-points.ts';
import type { ScenarioWire } from '#core/comparison/network/compare-wire.ts';
import { chartInks } from '#web-ui/src/components/chart-inks.ts';
import type { ScenarioStyle } from '#web-ui/src/components/scenario/scenario-style.ts';
import { countPoint } from '#tests/support/counted-point.ts';
import { armsFigure } from '#web-ui/src/pages/compare-runs/arms-figure.ts';
import {
  countedFigures,
  lowsAndHighs,
  placeEstimate,
  wireFigure,
} from '#web-ui/src/pages/comparison/figures/interval-figures.ts';
import { boxFigure, ecdfFigure } from '#web-ui/src/pages/comparison/figures/url-figures.ts';

const of = (mean: number, halfWidth: number | null): Estimate => ({
  ...{ rounds: 5, standardDeviation: 1, mean, halfWidth },
});

describe('the interval of a mean', () => {
  const place = (estimate: Estimate | null) => placeEstimate(estimate, { x: 2, write: (value) => `${value} ms` });

  test('reaches as far below the mean as above, and has no length without a half-width', () => {
    expect(place(of(100, 30))).toEqual([{ x: 2, y: 100, yMin: 70, yMax: 130, text: '100 ms' }]);
    expect(place(of(100, null))).toEqual([{ x: 2, y: 100, yMin: 100, yMax: 100, text: '100 ms' }]);
    expect(place(null)).toEqual([]);
  });

  test('has both its ends on the axis', () => {
    expect(lowsAndHighs([of(100, 30), null, of(5, null)])).toEqual([70, 130, 5, 5]);
  });
});

const look = { colour: '#000000', marker: 'circle' } as unknown as ScenarioStyle;
const styles = new Map(['direct', 'proxy'].map((scenario) => [scenario, look]));

test('a bar of the wire has the mean of its Scenario with its interval, and so has its CSV', () => {
  const figures = (packets: Estimate | null) => ({ packets }) as ScenarioWire['figures'];
  const wires = [of(100, 30), null].map((packets, index) => ({
    ...{ scenario: ['direct', 'proxy'][index]!, roundsCounted: 5, roundsLeftOut: 0 },
    figures: figures(packets),
  }));
  const { table, describe: draw } = wireFigure(wires, { figure: 'packets', styles });
  expect(table.rows).toEqual([
    ['direct', 100, 30, 5],
    ['proxy', null, null, null],
  ]);
  expect(draw(chartInks.light).data.datasets[0]!.data).toMatchObject([
    { x: 'direct', y: 100, yMin: 70, yMax: 130, text: '100.0 ± 30.0' },
    { x: 'proxy', y: Number.NaN },
  ]);
});

test('bytes of the wire have their unit at the pointer', () => {
  const figures = { bytes: of(51_234, 300) } as ScenarioWire['figures'];
  const wires = [{ scenario: 'direct', roundsCounted: 5, roundsLeftOut: 0, figures }];
  const { data } = wireFigure(wires, { figure: 'bytes', styles }).describe(chartInks.light);
  expect(data.datasets[0]!.data).toMatchObject([{ text: '51.2\u00A0kB ± 300\u00A0B' }]);
});

test('a part of the Visits that is not all of them does not read as all', () => {
  const points = [0.004, 0.996, 1].map((ratio, index) => ({ value: 100 + index, ratio }));
  const distribution = { ecdf: { kind: 'measured', points } } as unknown as Cell['distribution'];
  const cell = { scenario: 'direct', visits: 500, failedVisits: 0, absentVisits: 0, leftOutVisits: 0, distribution };
  const figure = ecdfFigure([cell as Cell], { url: 'u', metricLabel: 'm', styles });
  const marks = figure.describe(chartInks.light).data.datasets[0]!.data as unknown as { text: string }[];
  expect(marks.map(({ text }) => text.replaceAll('\u00A0', ' '))).toEqual([
    ...['0 % in 100 ms', '0.40 % in 100 ms', '99.6 % in 101 ms', '100 % in 102 ms'],
  ]);
});

test('of several Runs, each Scenario has its mean at the place of its Run, and the CSV has the interval and the Rounds', () => {
  const arm = (runId: string, scenario: string, estimate: Estimate | null) => ({
    ...{ runId, evaluationName: 'E', scenario, estimate, values: [1, 2, 3] },
  });
  const arms = [arm('7', 'direct', of(100, 30)), arm('7', 'proxy', null), arm('8', 'direct', of(200, null))];
  const figure = armsFigure(arms as unknown as Arm[], { styles, metricLabel: 'Latency' });
  expect(figure.table.rows).toEqual([
    ['7', 'E', 'direct', 100, 30, 3],
    ['7', 'E', 'proxy', null, null, 3],
    ['8', 'E', 'direct', 200, null, 3],
  ]);
  const { datasets } = figure.describe(chartInks.light).data;
  expect(datasets.map(({ label, data }) => [label, (data as { x: number }[]).map(({ x }) => x)])).toEqual([
    ['direct', [1, 3]],
    ['proxy', []],
  ]);
});

test('of Capture Points, what was counted at one of them under one Scenario is offered', () => {
  const rounds = [
    countPoint({ point: 'space', scenario: 'direct', block: 1, packets: 100, httpRequests: null }),
    countPoint({ point: 'ground', scenario: 'proxy', block: 1, packets: 100 }),
  ];
  const compare = (counted: typeof rounds) =>
    comparePoints(counted, {
      ...{ points: ['space', 'ground'], scenarios: ['direct', 'proxy'], baseline: 'direct', confidence: 0.95 },
    });
  expect(countedFigures(compare(rounds))).toEqual(expect.arrayContaining(['bytes', 'packets', 'httpRequests']));
  expect(countedFigures(compare(rounds.slice(0, 1)))).not.toContain('httpRequests');
  expect(countedFigures(compare([]))).toEqual([]);
});

test('a box stands for each Scenario whose Visits have a distribution, and the CSV says of which there is none', () => {
  const ecdf = { kind: 'measured', points: [1, 2, 3, 4].map((each) => ({ value: each * 10, ratio: each / 4 })) };
  const cell = (scenario: string, distribution: object | null) =>
    ({
      ...{ scenario, distribution, visits: 4, failedVisits: 0, absentVisits: 0, leftOutVisits: 0 },
    }) as unknown as Cell;
  const cells = [cell('direct', null), cell('proxy', { ecdf })];
  const figure = boxFigure(cells, { url: 'http://a.test/', metricLabel: 'Latency', styles });
  expect(figure.table.rows.map((row) => row.slice(0, 2))).toEqual([
    ['direct', null],
    ['proxy', 10],
  ]);
  const { labels, datasets } = figure.describe(chartInks.light).data;
  expect(labels).toHaveLength(1);
  expect(datasets[0]!.data).toMatchObject([{ min: 10, max: 40 }]);
});
