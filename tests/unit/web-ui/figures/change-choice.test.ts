import { expect, test } from 'vitest';
import { FigureChoiceSchema } from '#core/evaluation/figures/figure-choice.ts';
import { completeChoice } from '#web-ui/src/figures/complete-choice.ts';
import { evaluationOf, makeMeasurements } from '#tests/support/make-measurements.ts';
import {
  keysOf,
  offerValues,
  openChoice,
  readKeys,
} from '#web-ui/src/pages/comparison/chosen-figure/choice-controls.tsx';

const { design } = makeMeasurements(evaluationOf({ pages: [{ images: 1 }, { images: 9 }], scenarios: ['a', 'b'] }), {
  blocks: 2,
  measures: ['totalMs'],
  valuesOf: () => [1000],
});

const byDefault = FigureChoiceSchema.parse({});

test('values that are drawn alone are read as they were written, texts apart from numbers', () => {
  const only = { scenario: ['a, "b"', '1'], images: [1, 9] };
  expect(readKeys(keysOf(only))).toEqual(only);
  expect(readKeys([])).toEqual({});
});

test('single values are offered of a dimension that has up to 60', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
  const offered = offerValues(
    [
      ['images', numbers(60)],
      ['size', numbers(61)],
    ],
    design,
  );
  expect(offered).toHaveLength(1);
  expect(offered[0]!.items).toHaveLength(60);
  expect(readKeys([offered[0]!.items[7]!.value])).toEqual({ images: [7] });
});

test('a choice is kept without what is open: no axis, no values that are drawn alone, and no title', () => {
  const complete = { ...completeChoice(design, byDefault), title: 'Of what was drawn before' };
  const all = openChoice({ ...complete, x: 'images', only: { images: [1] } });
  expect(all).toMatchObject({ x: 'images', only: { images: [1] } });
  expect(all).not.toHaveProperty('title');
  const open = openChoice({ ...complete, x: null, only: {} });
  expect(Object.keys(open)).not.toEqual(expect.arrayContaining(['x']));
  expect(Object.keys(open)).not.toEqual(expect.arrayContaining(['only']));
  expect(completeChoice(design, open)).toEqual(completeChoice(design, byDefault));
});
