import { expect, test } from 'vitest';
import { FigureChoiceSchema } from '#core/evaluation/figures/figure-choice.ts';
import { arrangeFigure } from '#web-ui/src/figures/arrange-figure.ts';
import { horizontalAxis } from '#web-ui/src/figures/arranged-axes.ts';
import { completeChoice } from '#web-ui/src/figures/complete-choice.ts';
import { evaluationOf, makeMeasurements } from '#tests/support/make-measurements.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Of a line over pages with so many images. */
function axisOf(images: number[], choice: object) {
  const pages = images.map((each) => ({ images: each }));
  const measurements = makeMeasurements(evaluationOf({ pages, scenarios: ['direct', 'proxy'] }), {
    blocks: 2,
    measures: ['totalMs'],
    valuesOf: ({ block }) => [1000 + block],
  });
  const { design } = measurements;
  const complete = completeChoice(design, FigureChoiceSchema.parse({ kind: 'line', x: 'images', ...choice }));
  return horizontalAxis(arrangeFigure(measurements, complete), design);
}

test('a line has ticks where its values were measured, as long as they are few', () => {
  expect(axisOf([0, 1, 10], { logX: false })).toMatchObject({ ticksAt: [0, 1, 10] });
  expect(axisOf(numbers(12), { logX: false })).toMatchObject({ ticksAt: { length: 12 } });
  expect(axisOf(numbers(13), { logX: false })).toHaveProperty('ticksAt', undefined);
});

test('a logarithmic axis has no tick at zero, which it has no place for', () => {
  expect(axisOf([0, 1, 10], { logX: true })).toMatchObject({ isLogarithmic: true, ticksAt: [1, 10] });
});
