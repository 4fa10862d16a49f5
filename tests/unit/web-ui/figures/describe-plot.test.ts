import { expect, test } from 'vitest';
import { chartInks } from '#web-ui/src/components/chart-inks.ts';
import { describePlot } from '#web-ui/src/figures/describe-plot.ts';
import type { LineLayer, PlotLayer } from '#web-ui/src/figures/plot.ts';

const axis = { kind: 'numbers', title: '' } as const;
const inks = chartInks.light;
const describe = (...layers: PlotLayer[]) => describePlot(() => ({ x: axis, y: axis, layers }))(inks);
const marks = [{ x: 1, y: 2 }];
const line = (look: Partial<LineLayer>): PlotLayer => ({
  ...{ kind: 'line', label: 'a', colour: '#102030', widthPx: 1, dash: [], marks },
  ...look,
});

test('a line has its colour, that of text where it has none, and is faded where it is to stand back', () => {
  const { datasets } = describe(line({}), line({ colour: null }), line({ opacity: 0.6 })).data;
  expect(datasets.map(({ borderColor }) => borderColor)).toEqual(['#102030', inks.text, 'rgba(16, 32, 48, 0.6)']);
  expect(datasets.map(({ backgroundColor }) => backgroundColor)).toEqual(
    datasets.map(({ borderColor }) => borderColor),
  );
});

test('points of a line grow under the pointer, and a line without points has none there', () => {
  const { datasets } = describe(line({}), line({ pointPx: 1.5 })).data;
  expect(datasets).toMatchObject([
    { pointRadius: 0, pointHoverRadius: 0 },
    { pointRadius: 1.5, pointHoverRadius: 4 },
  ]);
});

test('a chart of several kinds of marks is of the first that is no line', () => {
  const points: PlotLayer = { kind: 'points', label: 'b', look: { colour: '#000000', shape: 'rect' }, marks };
  expect((describe(line({}), points) as { type: string }).type).toBe('scatterWithErrorBars');
  expect((describe(line({})) as { type: string }).type).toBe('scatterWithErrorBars');
});
