import { expect, test } from 'vitest';
import { FigureChoiceSchema } from '#core/evaluation/figures/figure-choice.ts';
import { arrangeFigure } from '#web-ui/src/figures/arrange-figure.ts';
import { horizontalAxis, verticalAxis } from '#web-ui/src/figures/arranged-axes.ts';
import { completeChoice } from '#web-ui/src/figures/complete-choice.ts';
import { drawArranged } from '#web-ui/src/figures/draw-arranged.ts';
import { formatDecimals } from '#web-ui/src/figures/name-figure.ts';
import { evaluationOf, makeMeasurements } from '#tests/support/make-measurements.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** A line over pages with so many images. */
function arrangeLine(images: number[], choice: object) {
  const pages = images.map((each) => ({ images: each }));
  const measurements = makeMeasurements(evaluationOf({ pages, scenarios: ['direct', 'proxy'] }), {
    blocks: 2,
    measures: ['totalMs'],
    valuesOf: ({ block }) => [1000 + block],
  });
  const { design } = measurements;
  const complete = completeChoice(design, FigureChoiceSchema.parse({ kind: 'line', x: 'images', ...choice }));
  return { arranged: arrangeFigure(measurements, complete), design };
}

function axisOf(images: number[], choice: object) {
  const { arranged, design } = arrangeLine(images, choice);
  return horizontalAxis(arranged, design);
}

test('a line has ticks where its values were measured, as long as they are few', () => {
  expect(axisOf([0, 1, 10], { logX: false })).toMatchObject({ ticksAt: [0, 1, 10] });
  expect(axisOf(numbers(12), { logX: false })).toMatchObject({ ticksAt: { length: 12 } });
  expect(axisOf(numbers(13), { logX: false })).toHaveProperty('ticksAt', undefined);
});

test('axes span any number of points', () => {
  const { arranged, design } = arrangeLine([0, 1], {});
  const points = numbers(200_000).map((x) => ({ x, y: x, low: null, high: null, count: 1, page: null }));
  const many = {
    ...arranged,
    panels: arranged.panels.map((panel) => ({ ...panel, series: panel.series.map((each) => ({ ...each, points })) })),
  };
  expect(verticalAxis(many)).toMatchObject({ limits: { suggestedMax: 199_999 } });
  expect(horizontalAxis(many, design)).toMatchObject({ limits: { max: expect.closeTo(199_999 * 1.025, 6) as number } });
});

test('a logarithmic axis has no tick at zero, which it has no place for', () => {
  expect(axisOf([0, 1, 10], { logX: true })).toMatchObject({ isLogarithmic: true, ticksAt: [1, 10] });
});

test('small numbers of variables and slopes keep three digits, so that none reads as zero or as another', () => {
  const written = [0, 0.0001, 0.0005, 0.001, 0.00043217, 0.05, 0.1234567, 1.5, 1234.5678, -0.0005].map(formatDecimals);
  expect(written.map((text) => text.replaceAll('\u202F', ' '))).toEqual([
    ...['0', '0.0001', '0.0005', '0.001', '0.000432', '0.05', '0.123', '1.5', '1 234.568', '−0.0005'],
  ]);
});

test('the data of a figure have scores to three decimals, and variables as they were given', () => {
  const shifts = makeMeasurements(evaluationOf({ pages: [{ loss: 0.001 }, { loss: 0.01 }], scenarios: ['direct'] }), {
    blocks: 2,
    measures: ['cumulativeLayoutShift'],
    valuesOf: () => [0.083],
  });
  const choice = completeChoice(shifts.design, FigureChoiceSchema.parse({ x: 'loss', y: 'cumulativeLayoutShift' }));
  const [figure] = drawArranged(arrangeFigure(shifts, choice), shifts.design);
  const decimals = new Map(figure!.table.columns.map((column) => [column.label, column.decimals]));
  expect(decimals.get('loss')).toBe('own');
  expect([...decimals].filter(([, count]) => count === 3).map(([label]) => label)).toEqual([
    ...['Cumulative layout shift', 'from', 'to'],
  ]);
});
