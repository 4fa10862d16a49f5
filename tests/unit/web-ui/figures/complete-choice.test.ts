import { describe, expect, test } from 'vitest';
import { FigureChoiceSchema } from '#core/evaluation/figures/figure-choice.ts';
import { chooseByDesign, completeChoice, findConfounders } from '#web-ui/src/figures/complete-choice.ts';
import { describeDesign } from '#controller/reports/measure-run.ts';
import type { FigureDesign } from '#core/record/measurements.ts';
import { evaluationOf } from '#tests/support/make-measurements.ts';

const design = (
  options: Parameters<typeof evaluationOf>[0],
  arms: Partial<FigureDesign['scenarios'][number]>[] = [],
) => {
  const described = describeDesign(evaluationOf(options));
  return { ...described, scenarios: described.scenarios.map((scenario, index) => ({ ...scenario, ...arms[index] })) };
};

/** The nine pages of Secchi et al. 2015. */
const compositions = [500, 1500, 2500].flatMap((pageKB) =>
  [5, 20, 100].map((objectKB) => ({ objects: pageKB / objectKB, pageKB, objectKB })),
);
const images = [1, 2, 5, 10, 30].map((count) => ({ images: count }));

describe('without any choice, the report opens with', () => {
  test('latency by the variable of the pages, a line for each Scenario', () => {
    expect(chooseByDesign(design({ pages: images, scenarios: ['direct', 'pep'] }))).toMatchObject({
      kind: 'line',
      y: 'totalMs',
      x: 'images',
      series: ['scenario'],
      panels: [],
    });
  });

  test('a line for each size of the page, where that changes beside the number of objects', () => {
    expect(chooseByDesign(design({ pages: compositions, scenarios: ['http', 'h2'] }))).toMatchObject({
      x: 'objects',
      series: ['scenario', 'pageKB'],
      panels: [],
    });
  });

  test('a panel for each size, where there would be more than eight lines', () => {
    expect(chooseByDesign(design({ pages: compositions, scenarios: ['http', 'https', 'h2'] }))).toMatchObject({
      series: ['scenario'],
      panels: ['pageKB'],
    });
  });

  test('a panel for each group, whose Scenarios are distinguished by their variables', () => {
    const scenarios = ['1 at 256', '8 at 256', '1 at 512', '8 at 512'];
    const arms = [256, 512].flatMap((rateKbps) =>
      [1, 8].map((connections) => ({ group: `${rateKbps} kb/s`, variables: { rateKbps, connections } })),
    );
    expect(chooseByDesign(design({ pages: images, scenarios }, arms))).toMatchObject({
      x: 'images',
      series: ['connections'],
      panels: ['group'],
    });
  });

  test('a line for each User Agent, where they are of different classes, in a panel for each Scenario', () => {
    const userAgents = [
      { name: 'g', userClass: 'gold' },
      { name: 's', userClass: 'silver' },
    ];
    expect(chooseByDesign(design({ pages: images, scenarios: ['fifo', 'fair'], userAgents }))).toMatchObject({
      series: ['userAgent'],
      panels: ['scenario'],
    });
  });

  test('bars for the Scenarios, where nothing else is varied', () => {
    expect(chooseByDesign(design({ pages: [{}], scenarios: ['direct', 'pep'] }))).toMatchObject({
      kind: 'bars',
      x: 'scenario',
      series: [],
      panels: [],
    });
  });
});

test('latency against capacity has a line for each other variable of the Scenarios', () => {
  const arms = [256, 512].flatMap((rateKbps) => ['direct', 'pep'].map((mode) => ({ variables: { rateKbps, mode } })));
  const options = { pages: images, scenarios: ['a', 'b', 'c', 'd'] };
  const choice = completeChoice(design(options, arms), FigureChoiceSchema.parse({ x: 'rateKbps' }));
  expect(choice).toMatchObject({ x: 'rateKbps', series: ['mode'], panels: [] });
});

test('what a choice names is kept, and what the design does not have is left out', () => {
  const choice = completeChoice(
    design({ pages: images, scenarios: ['direct', 'pep'] }),
    FigureChoiceSchema.parse({ x: 'gone', series: ['page', 'gone'], panels: 'scenario', only: { gone: [1] } }),
  );
  expect(choice).toMatchObject({ x: 'images', series: ['page'], panels: ['scenario'], only: {} });
});

test('a variable that follows x is no confounder, and one that does not is', () => {
  const follows = [1, 2, 3].map((count) => ({ variables: { images: count, kilobytes: count * 10 } }));
  expect(findConfounders(follows, 'images')).toEqual([]);
  expect(
    findConfounders(
      compositions.map((variables) => ({ variables })),
      'objects',
    ),
  ).toEqual(['pageKB']);
});

describe('an axis of lines whose kind is left open is', () => {
  const isLog = (counts: number[], choice: object = {}) =>
    completeChoice(
      design({ pages: counts.map((objects) => ({ objects })), scenarios: ['direct', 'pep'] }),
      FigureChoiceSchema.parse({ x: 'objects', ...choice }),
    ).logX;

  test('logarithmic where most numbers would be at its lower end', () => {
    expect(isLog([10, 100, 640])).toBe(true);
    expect(isLog([1, 2, 5, 10, 100])).toBe(true);
  });

  test('linear where they are spread, or within a factor of 20', () => {
    expect(isLog([1, 5, 10, 20, 30])).toBe(false);
    expect(isLog([5, 25, 100])).toBe(false);
    expect(isLog([0, 10, 640])).toBe(false);
  });

  test('as declared, and by the numbers that are drawn', () => {
    expect(isLog([10, 100, 640], { logX: false })).toBe(false);
    expect(isLog([10, 100, 640], { only: { objects: [100, 640] } })).toBe(false);
    expect(isLog([10, 100, 640], { kind: 'bars' })).toBe(false);
  });
});

test('lines of Scenarios are in one panel, though users are of different classes', () => {
  const users = [
    { name: 'Gold', userClass: 'gold' },
    { name: 'Bronze', userClass: 'bronze' },
  ];
  const described = design({ pages: images, scenarios: ['direct', 'pep'], userAgents: users });
  expect(completeChoice(described, FigureChoiceSchema.parse({ series: 'scenario' })).panels).toEqual([]);
  expect(completeChoice(described, FigureChoiceSchema.parse({ series: 'userAgent' })).panels).toEqual(['scenario']);
});

test('a variable may be called as what every object has', () => {
  const described = design({ pages: [{ constructor: 1 }, { constructor: 5 }], scenarios: ['direct', 'pep'] });
  expect(completeChoice(described, FigureChoiceSchema.parse({ x: 'constructor' })).logX).toBe(false);
});
