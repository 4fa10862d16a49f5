import { describe, expect, test } from 'vitest';
import { FigureChoiceSchema } from '#core/evaluation/figures/figure-choice.ts';
import { arrangeFigure } from '#web-ui/src/figures/arrange-figure.ts';
import { completeChoice } from '#web-ui/src/figures/complete-choice.ts';
import { measureRun } from '#controller/reports/measure-run.ts';
import type { Measurements } from '#core/record/measurements.ts';
import { evaluationOf, makeMeasurements, withArms } from '#tests/support/make-measurements.ts';

const draw = (measurements: Measurements, choice: object) =>
  arrangeFigure(measurements, completeChoice(measurements.design, FigureChoiceSchema.parse(choice)));

const small = [100, 103, 98];
const large = [200, 190, 215];
const two = makeMeasurements(evaluationOf({ pages: [{ images: 1 }, { images: 9 }], scenarios: ['direct', 'proxy'] }), {
  blocks: 3,
  measures: ['totalMs', 'receivedBytes'],
  valuesOf: ({ block, scenario, url }) => {
    const isSmall = url.endsWith('/0');
    const direct = (isSmall ? small : large)[block - 1]!;
    return [scenario === 'direct' ? direct : isSmall ? [80, 85, 70][block - 1]! : direct / 2, isSmall ? 1000 : 9000];
  },
});

describe('a mean', () => {
  test('has the t interval over Rounds of R’s t.test, at each x of each Scenario', () => {
    const { panels, places } = draw(two, { x: 'images' });
    expect(places).toBeNull();
    expect(panels).toHaveLength(1);
    expect(panels[0]!.series.map(({ values, points }) => [values, points.map(({ x }) => x)])).toEqual([
      [['direct'], [1, 9]],
      [['proxy'], [1, 9]],
    ]);
    const [point] = panels[0]!.series[0]!.points;
    expect(point).toMatchObject({ count: 3, page: null });
    expect(point!.y).toBeCloseTo(301 / 3, 10);
  });

  test('of several pages is that of the mean of the pages in each Round', () => {
    const [point] = draw(two, { x: 'scenario' }).panels[0]!.series[0]!.points;
    expect(point!.y).toBeCloseTo(151, 10);
    expect(point!.low).toBeCloseTo(138.394377865, 8);
    expect(point!.high).toBeCloseTo(163.605622135, 8);
  });

  test('is of pages that every Scenario has there', () => {
    const measurements = structuredClone(two);
    const { visits, values } = measurements;
    values.totalMs = values.totalMs!.map((value, index) =>
      visits.scenario[index] === 1 && visits.page[index] === 1 ? null : value,
    );
    const { panels } = draw(measurements, { x: 'scenario', series: [] });
    expect(panels[0]!.series[0]!.points.map(({ y }) => Math.round(y))).toEqual([100, 78]);
  });
});

test('a Scenario that loses objects has means, and no reduction', () => {
  const losing = makeMeasurements(evaluationOf({ pages: [{ images: 1 }], scenarios: ['direct', 'proxy', 'other'] }), {
    blocks: 5,
    measures: ['totalMs'],
    valuesOf: ({ block, scenario }) => [scenario === 'proxy' ? 10 : 100 + block + (scenario === 'other' ? 5 : 0)],
    failedObjectsOf: ({ scenario }) => (scenario === 'proxy' ? 9 : 0),
  });
  expect(losing.design.scenarios.map(({ isComparable }) => isComparable)).toEqual([undefined, false, undefined]);
  const seriesOf = (choice: object) => draw(losing, choice).panels.flatMap(({ series }) => series);
  expect(seriesOf({ statistic: 'reduction', x: 'images' }).map(({ values }) => values)).toEqual([['other']]);
  expect(seriesOf({ statistic: 'mean', x: 'images' }).map(({ values }) => values)).toEqual([
    ['direct'],
    ['proxy'],
    ['other'],
  ]);
});

test('a reduction is that of R’s t.test of log ratios, and baselines have none', () => {
  const { panels } = draw(two, { statistic: 'reduction', x: 'images', only: { images: [1] } });
  expect(panels[0]!.series.map(({ values }) => values)).toEqual([['proxy']]);
  const [point] = panels[0]!.series[0]!.points;
  expect(point!.y).toBeCloseTo(0.221638731012, 10);
  expect(point!.low).toBeCloseTo(0.059895194188, 10);
  expect(point!.high).toBeCloseTo(0.355554549541, 10);
});

test('a reduction is against the baseline of the own group, over a variable of Scenarios', () => {
  const four = makeMeasurements(evaluationOf({ pages: [{ images: 1 }], scenarios: ['d256', 'p256', 'd500', 'p500'] }), {
    blocks: 2,
    measures: ['totalMs'],
    valuesOf: ({ scenario }) => [{ d256: 1000, p256: 900, d500: 600, p500: 300 }[scenario]!],
  });
  const grouped = withArms(
    four,
    [256, 500].flatMap((rateKbps) =>
      ['d', 'p'].map((letter) => ({
        name: `${letter}${rateKbps}`,
        group: `${rateKbps} kb/s`,
        isBaseline: letter === 'd',
        variables: { rateKbps, mode: letter === 'd' ? 'direct' : 'pep' },
      })),
    ),
  );
  const { choice, panels } = draw(grouped, { statistic: 'reduction' });
  expect(choice).toMatchObject({ x: 'rateKbps', series: ['mode'], panels: [] });
  expect(panels[0]!.series).toHaveLength(1);
  expect(panels[0]!.series[0]).toMatchObject({ values: ['pep'], scenarios: ['p256', 'p500'] });
  const points = panels[0]!.series[0]!.points.map(({ x, y }) => [x, Number(y.toFixed(6))]);
  expect(points).toEqual([
    [256, 0.1],
    [500, 0.5],
  ]);
});

test('a distribution is of all Visits together: equal ones are one step', () => {
  const { panels } = draw(two, { kind: 'distribution', series: ['scenario'] });
  const { points } = panels[0]!.series[0]!;
  expect(points.map(({ x }) => x)).toEqual([98, 100, 103, 190, 200, 215]);
  expect(points.map(({ y }) => y)).toEqual([1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6, 1]);
  expect(points[0]!.count).toBe(6);
});

test('a scatter has a point for each page, and the line through them', () => {
  const { panels } = draw(two, { kind: 'scatter', x: 'receivedBytes' });
  const [direct] = panels[0]!.series;
  expect(direct!.points.map(({ x, page }) => [x, page])).toEqual([
    [1000, 'http://origin.test/0'],
    [9000, 'http://origin.test/1'],
  ]);
  expect(direct!.fit!.slope).toBeCloseTo((605 / 3 - 301 / 3) / 8000, 12);
});

test('least, most and median are of the Visits of a page, and a quantile of 95 % needs 100 of them', () => {
  const at = (statistic: string) => draw(two, { statistic, x: 'images', series: 'scenario' });
  const first = (statistic: string) => at(statistic).panels[0]!.series[0]!.points[0];
  expect(first('min')).toMatchObject({ y: 98, low: null, count: 3 });
  expect(first('max')).toMatchObject({ y: 103 });
  expect(first('median')).toMatchObject({ y: 100 });
  expect(at('p95')).toMatchObject({ panels: [], leftOutPoints: 4 });
  const many = makeMeasurements(evaluationOf({ pages: [{ images: 1 }], scenarios: ['direct'] }), {
    blocks: 100,
    measures: ['totalMs'],
    valuesOf: ({ block }) => [block === 100 ? 400 : block],
  });
  expect(draw(many, { statistic: 'p95', x: 'images' }).panels[0]!.series[0]!.points[0]!.y).toBeCloseTo(95.05, 10);
});

test('Visits that failed, that a person excluded, or that lost objects by the rule of the Evaluation, are in no figure', () => {
  const evaluation = evaluationOf({ pages: [{}], scenarios: ['direct'] });
  const visit = {
    block: 1,
    scenario: 'direct',
    userAgent: 'user',
    url: 'http://origin.test/0',
    isFailed: false,
    isTimedOut: false,
    isExcluded: false,
    failedObjects: 0,
  };
  const visits = [
    { ...visit, values: [1] },
    { ...visit, values: [2], isFailed: true, failedObjects: null },
    { ...visit, values: [3], isExcluded: true },
    { ...visit, values: [4], failedObjects: 2 },
  ];
  const measuredBy = (failedObjects: 'count' | 'exclude' | 'fail') =>
    measureRun({ ...evaluation, pageLoad: { ...evaluation.pageLoad, failedObjects } }, visits, {
      measures: ['totalMs'],
      available: ['totalMs'],
    }).values;
  expect(measuredBy('count')).toEqual({ totalMs: [1, 4] });
  expect(measuredBy('exclude')).toEqual({ totalMs: [1] });
  expect(measuredBy('fail')).toEqual({ totalMs: [1] });
});
