import { describe, expect, test } from 'vitest';
import { chartInks } from '#web-ui/src/components/chart-inks.ts';
import { describePlot } from '#web-ui/src/figures/describe-plot.ts';
import { readTitle } from '#tests/support/read-title.ts';
import { chooseUnit } from '#web-ui/src/figures/plot-axes.ts';
import type { NumberAxis, Plot, PlotLayer } from '#web-ui/src/figures/plot.ts';

const x = { kind: 'categories' as const, names: ['a'] };
const plotOf = (most: number, axis: Partial<NumberAxis>): Plot => ({
  x,
  y: { kind: 'numbers', title: 'Latency', ...axis },
  layers: [{ kind: 'bars', label: '', colours: '#000000', mostPx: 9, marks: [{ x: 'a', y: most / 2, yMax: most }] }],
});

test.for([
  ['ms', 9999, 'ms'],
  ['ms', 10_000, 's'],
  ['bytes', 999, 'bytes'],
  ['bytes', 15_000, 'kB'],
  ['bytes', 3_550_137, 'MB'],
  ['bytes', 4e9, 'GB'],
] as const)('%s up to %d are written in %s', ([unit, most, name]) => {
  expect(chooseUnit(plotOf(most, { unit }), 'y')!.name).toBe(name);
});

test('panels with one limit have one unit, and an axis without a unit stays as it is', () => {
  expect(chooseUnit(plotOf(500, { unit: 'ms', limits: { suggestedMax: 20_000 } }), 'y')!.name).toBe('s');
  expect(chooseUnit(plotOf(50_000, {}), 'y')).toBeNull();
});

test('boxes and the horizontal axis count as well', () => {
  const boxes: PlotLayer = {
    kind: 'boxes',
    label: '',
    boxes: [{ colour: '#000000', min: 1, q1: 2, median: 3, q3: 4, max: 20_000, values: [] }],
  };
  expect(chooseUnit({ x, y: { kind: 'numbers', title: '', unit: 'ms' }, layers: [boxes] }, 'y')!.name).toBe('s');
  const points: PlotLayer = {
    kind: 'points',
    label: '',
    look: { colour: '#000000', shape: 'rect' },
    marks: [{ x: 2e6, y: 1 }],
  };
  const axis = { kind: 'numbers', title: '', unit: 'bytes' } as const;
  expect(chooseUnit({ x: axis, y: axis, layers: [points] }, 'x')!.name).toBe('MB');
});

describe('an axis of 406 175 ms', () => {
  const { options } = describePlot(() => plotOf(406_175, { unit: 'ms' }))(chartInks.light);
  const { title, ticks } = options!.scales!.y as unknown as {
    title: { text: (context: object) => string[] };
    ticks: { callback: (value: number, index: number, ticks: { value: number }[]) => string };
  };

  test('has seconds, and says so in its title', () => {
    expect(readTitle(title)).toBe('Latency, s');
    const values = [0, 100_000, 406_175].map((value) => ({ value }));
    expect(values.map(({ value }, index) => ticks.callback(value, index, values.slice(0, 2)))).toEqual([
      '0',
      '100',
      '406',
    ]);
    const halves = [{ value: 10_000 }, { value: 12_500 }];
    expect(ticks.callback(12_500, 1, halves)).toBe('12.5');
  });

  test('keeps its values, as a table has them', () => {
    const { data } = describePlot(() => plotOf(406_175, { unit: 'ms' }))(chartInks.light);
    expect((data.datasets[0]!.data as unknown as { yMax: number }[])[0]!.yMax).toBe(406_175);
  });
});

test('ticks that lie close have the decimals that distinguish them', () => {
  const { options } = describePlot(() => plotOf(1_234_500, { unit: 'bytes' }))(chartInks.light);
  const { ticks } = options!.scales!.y as unknown as {
    ticks: { callback: (value: number, index: number, ticks: { value: number }[]) => string };
  };
  const write = (values: number[]) =>
    values.map((value, index) =>
      ticks.callback(
        value,
        index,
        values.map((each) => ({ value: each })),
      ),
    );
  expect(write([1_234_100, 1_234_300, 1_234_500])).toEqual(['1.2341', '1.2343', '1.2345']);
  expect(write([1_230_000, 1_234_567])).toEqual(['1.230', '1.235']);
});
