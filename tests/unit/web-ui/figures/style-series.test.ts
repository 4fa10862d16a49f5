import { describe, expect, test } from 'vitest';
import { FigureChoiceSchema } from '#core/evaluation/figures/figure-choice.ts';
import { chartInks } from '#web-ui/src/components/chart-inks.ts';
import { baselineColour } from '#web-ui/src/components/scenario/series-colours.ts';
import { arrangeFigure } from '#web-ui/src/figures/arrange-figure.ts';
import { completeChoice } from '#web-ui/src/figures/complete-choice.ts';
import { drawArranged } from '#web-ui/src/figures/draw-arranged.ts';
import { styleDesign, styleSeries } from '#web-ui/src/figures/style-series.ts';
import { type Arm, evaluationOf, makeMeasurements, withArms } from '#tests/support/make-measurements.ts';

const arms: Arm[] = ['no loss', 'loss'].flatMap((group) =>
  ['HTTP/1.1', 'HTTP/2', 'HTTPEP'].map((name) => ({
    name: `${name}, ${group}`,
    group,
    isBaseline: name === 'HTTP/1.1',
    variables: { mode: name, rateKbps: group === 'loss' ? 256 : 1000 },
  })),
);
const measurements = withArms(
  makeMeasurements(evaluationOf({ pages: [{ images: 1 }, { images: 30 }], scenarios: arms.map(({ name }) => name) }), {
    blocks: 2,
    measures: ['totalMs'],
    valuesOf: ({ block }) => [1000 + block],
  }),
  arms,
);
const { design } = measurements;
const arranged = (choice: object) =>
  arrangeFigure(measurements, completeChoice(design, FigureChoiceSchema.parse({ x: 'images', ...choice })));
const stylesOf = (choice: object) => [...styleSeries(arranged(choice), design).values()];

describe('Scenarios', () => {
  test('look alike in the panels of their groups, and the baseline is a grey circle in each', () => {
    const styles = stylesOf({ series: 'scenario', panels: 'group' });
    expect(styles.slice(3)).toEqual(styles.slice(0, 3));
    expect(styles[0]).toEqual({ colour: baselineColour.light, shape: 'circle', isBaseline: true });
  });

  test('are called as in their group where panels are groups, and by their whole names elsewhere', () => {
    const labelsOf = (choice: object) =>
      drawArranged(arranged({ kind: 'bars', series: 'scenario', ...choice }), design).map((figure) =>
        figure.describe(chartInks.light).data.datasets.map(({ label }) => label),
      );
    const inGroup = ['HTTP/1.1 (baseline)', 'HTTP/2', 'HTTPEP'];
    expect(labelsOf({ panels: 'group' })).toEqual([inGroup, inGroup]);
    expect(labelsOf({ panels: [] })[0]!.slice(0, 2)).toEqual(['HTTP/1.1, no loss (baseline)', 'HTTP/2, no loss']);
  });

  test('keep their colours in one chart, where each has a shape', () => {
    const styles = stylesOf({ series: 'scenario', panels: [] });
    const apart = stylesOf({ series: 'scenario', panels: 'group' });
    expect(styles.map(({ colour }) => colour)).toEqual(apart.map(({ colour }) => colour));
    expect(new Set(styles.map(({ shape }) => shape)).size).toBe(6);
  });

  test('have bars of their colours where bars are Scenarios', () => {
    const [figure] = drawArranged(arranged({ kind: 'bars', x: 'scenario', series: [], panels: [] }), design);
    const [bars] = figure!.describe(chartInks.light).data.datasets;
    const colours = arms.map(({ name }) => styleDesign(design).get(name)!.colour);
    expect(bars).toMatchObject({ backgroundColor: colours, pointStyle: 'rect' });
  });
});

describe('below bars of Scenarios', () => {
  const scalesOf = (choice: object) =>
    drawArranged(arranged({ kind: 'bars', x: 'scenario', series: [], panels: [], ...choice }), design)[0]!.describe(
      chartInks.light,
    ).options!.scales as unknown as Record<
      string,
      {
        afterBuildTicks: (axis: { ticks: { value: number }[] }) => void;
        ticks: { callback: (value: number) => string | string[] };
      }
    >;

  test('are their names in their groups, and below these the groups', () => {
    const { x, groups } = scalesOf({});
    expect([0, 1, 4].map((place) => x!.ticks.callback(place))).toEqual([['HTTP/1.1'], ['HTTP/2'], ['HTTP/2']]);
    const axis = { ticks: [] as { value: number }[] };
    groups!.afterBuildTicks(axis);
    expect(axis.ticks.map(({ value }) => [value, groups!.ticks.callback(value)])).toEqual([
      [1.5, 'no loss'],
      [3, ''],
      [4.5, 'loss'],
    ]);
  });

  test('are their whole names, in lines, where one group is drawn', () => {
    const only = { scenario: arms.slice(3).map(({ name }) => name) };
    const { x, groups } = scalesOf({ only });
    expect(groups).toBeUndefined();
    expect(x!.ticks.callback(0)).toEqual(['HTTP/1.1, loss']);
  });
});

test('a variable has the colours of what its values are called', () => {
  const [baseline, h2, httpep] = stylesOf({ series: 'mode', panels: [] });
  const ofScenarios = styleDesign(design);
  expect(baseline).toMatchObject({ colour: baselineColour.light, isBaseline: true });
  expect(h2!.colour).toBe(ofScenarios.get('HTTP/2, no loss')!.colour);
  expect(httpep!.colour).toBe(ofScenarios.get('HTTPEP, no loss')!.colour);
});

test('series of two variables have the colour of the first, and a shape each', () => {
  const styles = stylesOf({ series: ['mode', 'rateKbps'], panels: [] });
  expect(new Set(styles.map(({ colour }) => colour)).size).toBe(3);
  expect(new Set(styles.map(({ shape }) => shape)).size).toBe(6);
});

test('numbers have colours in their order, of which a missing one changes none', () => {
  const [, most] = stylesOf({ x: 'scenario', series: 'images', panels: [] });
  expect(stylesOf({ x: 'scenario', series: 'images', panels: [], only: { images: [30] } })).toEqual([most]);
});
