import { describe, expect, test } from 'vitest';
import { FigureChoiceSchema, type FigureChoice } from '#core/evaluation/figures/figure-choice.ts';
import { arrangeFigure, arrangeWithReduction } from '#web-ui/src/figures/arrange-figure.ts';
import { completeChoice } from '#web-ui/src/figures/complete-choice.ts';
import { evaluationOf, makeMeasurements } from '#tests/support/make-measurements.ts';
import { readTitle } from '#tests/support/read-title.ts';
import { chartInks } from '#web-ui/src/components/chart-inks.ts';
import { spreadTicks } from '#web-ui/src/figures/plot-axes.ts';
import { drawArranged } from '#web-ui/src/figures/draw-arranged.ts';
import { explainFigure } from '#web-ui/src/pages/comparison/chosen-figure/figure-section.tsx';
import { readShownFigure, writeShownFigure } from '#web-ui/src/pages/comparison/use-view.ts';

const measurements = makeMeasurements(
  evaluationOf({ pages: [{ images: 1 }, { images: 10 }], scenarios: ['direct', 'proxy'] }),
  {
    blocks: 3,
    measures: ['totalMs', 'receivedBytes'],
    valuesOf: ({ block, scenario, url }) => {
      const bytes = url.endsWith('/0') ? 1000 : 10_000;
      return [(scenario === 'direct' ? 2 : 1) * bytes + block, bytes];
    },
  },
);
const { design } = measurements;
const drawn = (choice: object) =>
  drawArranged(arrangeFigure(measurements, completeChoice(design, FigureChoiceSchema.parse(choice))), design);

describe('the address holds', () => {
  test.for([
    {},
    { y: 'wirePackets', x: 'images', series: ['scenario', 'pageKB'], panels: [], statistic: 'p95' },
    { x: 'images', logX: false },
    { kind: 'scatter', x: 'receivedBytes', logX: true, logY: true, title: 'Bytes & time, 100 %' },
    { only: { rateKbps: [256, 500], mode: ['direct, "raw"'] } },
  ])('the choice %j', (fields) => {
    const choice: FigureChoice = FigureChoiceSchema.parse(fields);
    const search = new URLSearchParams();
    writeShownFigure(search, { kind: 'own', choice });
    expect(readShownFigure(new URLSearchParams(search.toString()))).toEqual({ kind: 'own', choice });
  });

  test('the place of a declared figure, and nothing of the first', () => {
    const search = new URLSearchParams('figure.y=totalMs');
    writeShownFigure(search, { kind: 'declared', index: 2 });
    expect(search.toString()).toBe('figure=3');
    expect(readShownFigure(search)).toEqual({ kind: 'declared', index: 2 });
    const first = new URLSearchParams();
    writeShownFigure(first, { kind: 'declared', index: 0 });
    expect(first.toString()).toBe('');
  });

  test.for(['figure.y=speed', 'figure.only={', 'figure=x', 'figure=0'])('nothing to rely on in "%s"', (text) => {
    expect(readShownFigure(new URLSearchParams(text)).kind).toBe('declared');
  });
});

test('a figure is named after what it shows, and its table has each point with its interval', () => {
  const [figure, ...others] = drawn({ x: 'images' });
  expect(others).toEqual([]);
  expect(figure!.title).toBe('Total page load latency by images, with 95\u00A0% intervals');
  expect(figure!.table.columns.map(({ label }) => label)).toEqual([
    'Scenario',
    'images',
    'Total page load latency, ms',
    'from',
    'to',
    'Rounds',
  ]);
  expect(figure!.table.rows[0]!.slice(0, 3)).toEqual(['direct', 1, 2002]);
});

test('panels have the same axes, and the name of their place', () => {
  const figures = drawn({ x: 'images', panels: 'scenario', series: [] });
  expect(figures.map(({ title }) => title)).toEqual([
    'Total page load latency by images: direct, with 95\u00A0% intervals',
    'Total page load latency by images: proxy, with 95\u00A0% intervals',
  ]);
  const most = figures.map(
    ({ describe: draw }) => (draw(chartInks.light).options!.scales!.y as { suggestedMax: number }).suggestedMax,
  );
  expect(most[0]).toBeGreaterThan(20_000);
  expect(most[1]).toBe(most[0]);
});

test('a reduction is in percent, and the baseline has no bar', () => {
  const [figure] = drawn({ kind: 'bars', x: 'page', statistic: 'reduction' });
  expect(figure!.table.columns.map(({ label }) => label)).toContain('Reduction of total page load latency, %');
  expect(figure!.table.rows.map((row) => row[0])).toEqual(['proxy', 'proxy']);
  expect(figure!.table.rows[0]![2]).toBeCloseTo(50, 0);
});

describe('below means of a line', () => {
  const choice = completeChoice(design, FigureChoiceSchema.parse({ x: 'images' }));
  const arranged = arrangeWithReduction(measurements, choice);
  const [figure] = drawArranged(arranged, design);
  const { data, options } = figure!.describe(chartInks.light);

  test('the reductions have an axis of their own over the same places, and no second name in the legend', () => {
    expect(data.datasets.map(({ label }) => label)).toEqual(['direct (baseline)', 'proxy', '']);
    const [, means, reductions] = data.datasets as unknown as { yAxisID?: string; data: { x: number; y: number }[] }[];
    expect(reductions!.data.map(({ x }) => x)).toEqual(means!.data.map(({ x }) => x));
    expect(reductions!.data.every(({ y }) => Math.abs(y - 50) < 1)).toBe(true);
    expect(means!.yAxisID).toBe('y');
    // The first axis of a stack is the lowest.
    expect(Object.keys(options!.scales!)).toEqual(['x', reductions!.yAxisID, 'y']);
  });

  test('the table has the reduction of each point beside its mean, and none of the baseline', () => {
    expect(figure!.table.columns.at(-3)).toEqual({ label: 'reduction', unit: '%' });
    expect(figure!.table.rows.map((row) => row.at(-3) === null)).toEqual([true, true, false, false]);
  });

  test('there is nothing for a figure of other statistics, and nothing where there is one place', () => {
    const single = completeChoice(design, FigureChoiceSchema.parse({ x: 'images', only: { images: [1] } }));
    expect(arrangeWithReduction(measurements, single).below).toBeNull();
    const medians = completeChoice(design, FigureChoiceSchema.parse({ x: 'images', statistic: 'median' }));
    expect(arrangeWithReduction(measurements, medians).below).toBeNull();
  });
});

describe('at one number', () => {
  const crowded = makeMeasurements(
    evaluationOf({ pages: [{ images: 1 }, { images: 10 }], scenarios: ['direct', 'near', 'far'] }),
    {
      blocks: 3,
      measures: ['totalMs'],
      valuesOf: ({ block, scenario }) => [{ direct: 1000, near: 1060, far: 3000 }[scenario]! + 40 * block],
    },
  );
  const choice = completeChoice(crowded.design, FigureChoiceSchema.parse({ x: 'images' }));
  const [figure] = drawArranged(arrangeFigure(crowded, choice), crowded.design);
  const { data, options } = figure!.describe(chartInks.light);
  const sets = data.datasets as unknown as {
    label: string;
    radius: number;
    data: { x: number; y: number; yMin: number }[];
  }[];

  test('lines and marks of several Scenarios stand where they belong, and the first and last have room', () => {
    const joined = sets.filter(({ radius }) => radius > 0);
    expect(joined.map((set) => set.data.map(({ x }) => x))).toEqual([
      [1, 10],
      [1, 10],
      [1, 10],
    ]);
    expect((options!.scales!.x as { min: number }).min).toBeLessThan(1);
  });

  test('intervals that meet stand beside each other, and one that meets none stays', () => {
    const intervals = sets.filter(({ data: marks }) => marks[0]!.yMin < marks[0]!.y);
    const [direct, near, far] = intervals.map((set) => set.data[0]!.x);
    expect(direct).toBeLessThan(1);
    expect(near! - 1).toBeCloseTo(1 - direct!, 10);
    expect(near! - direct!).toBeLessThan(0.05 * 9);
    expect(far).toBe(1);
    expect(intervals.map(({ label }) => label)).toEqual(['', '', 'far']);
  });
});

describe('where a Scenario takes many times as long', () => {
  const slow = makeMeasurements(
    evaluationOf({ pages: [{ images: 1 }, { images: 10 }], scenarios: ['direct', 'loaded'] }),
    {
      blocks: 3,
      measures: ['totalMs'],
      valuesOf: ({ block, scenario }) => [(scenario === 'direct' ? 100 : 1400) * (1 + block / 100)],
    },
  );
  const plotted = (fields: object) => {
    const choice = completeChoice(slow.design, FigureChoiceSchema.parse({ x: 'images', ...fields }));
    const [figure] = drawArranged(arrangeWithReduction(slow, choice), slow.design);
    return { figure: figure!, config: figure!.describe(chartInks.light) };
  };

  test('the reductions below are ratios to the baseline, on a logarithmic axis', () => {
    const { config } = plotted({});
    const scales = config.options!.scales as Record<
      string,
      {
        type?: string;
        min?: number;
        title?: { text: (context: object) => string[] };
        afterBuildTicks?: (axis: object) => void;
      }
    >;
    expect(scales.below!.type).toBe('logarithmic');
    expect(readTitle(scales.below!.title!)).toBe('× the baseline');
    expect(scales.below!.min).toBeLessThan(1);
    const axis = { ticks: [] };
    scales.below!.afterBuildTicks!(axis);
    expect(axis.ticks).toEqual([1, 2, 5, 10].map((value) => ({ value })));
    const marks = config.data.datasets.at(-1)!.data as unknown as { y: number }[];
    expect(marks.every(({ y }) => Math.abs(y - 14) < 1e-9)).toBe(true);
  });

  test('bars of reductions begin at one', () => {
    const [bars] = plotted({ kind: 'bars', statistic: 'reduction' }).config.data.datasets;
    expect(bars).toMatchObject({ base: 1 });
  });

  test('the table keeps reductions in percent', () => {
    expect(plotted({ kind: 'bars', statistic: 'reduction' }).figure.table.rows[0]![2]).toBeCloseTo(-1300, 6);
  });
});

describe('series that cannot be set apart', () => {
  const alike = makeMeasurements(
    evaluationOf({ pages: [{ images: 1 }, { images: 10 }], scenarios: ['direct', 'same', 'proxy'] }),
    {
      blocks: 3,
      measures: ['totalMs'],
      valuesOf: ({ block, scenario, url }) => [
        (url.endsWith('/0') ? 1000 : 8000) * (scenario === 'proxy' ? 0.5 : 1) + block + (scenario === 'same' ? 20 : 0),
      ],
    },
  );
  const plotted = (fields: object, arrange = arrangeFigure) => {
    const choice = completeChoice(alike.design, FigureChoiceSchema.parse({ x: 'images', ...fields }));
    const [figure] = drawArranged(arrange(alike, choice), alike.design);
    return figure!.describe(chartInks.light).data.datasets.map(({ label }) => label);
  };

  test('are one line, and the legend says so', () => {
    expect(plotted({})).toEqual(['direct (baseline); same: alike', 'proxy']);
  });

  test('are two where their reductions below are not one, with a name for it there', () => {
    expect(plotted({}, arrangeWithReduction)).toEqual(['direct (baseline); same: alike', 'proxy', 'same', '']);
  });

  test('have a bar each', () => {
    expect(plotted({ kind: 'bars' })).toEqual(['direct (baseline)', 'same', 'proxy']);
  });
});

test('a distribution has a mark at each quartile, so that lines are known without colours', () => {
  const { data, options } = drawn({ kind: 'distribution', logX: true })[0]!.describe(chartInks.light);
  const [direct] = data.datasets as unknown as { radius: number[]; pointStyle: string; data: { y: number }[] }[];
  const marked = direct!.data.filter((_, index) => direct!.radius[index]! > 0).map(({ y }) => y);
  expect(marked).toEqual([2 / 6, 3 / 6, 5 / 6]);
  expect(direct!.pointStyle).toBe('circle');
  expect(options!.scales!.x).toMatchObject({ type: 'logarithmic' });
});

test('an axis has its numbers where something was measured, if there is room for them', () => {
  const ticks = spreadTicks([1, 2, 5, 15, 30], (value) => value);
  expect(ticks).toEqual([1, 5, 15, 30]);
  expect(spreadTicks([10, 100, 600, 640], Math.log)).toEqual([10, 100, 640]);
  const { afterBuildTicks } = drawn({ x: 'images' })[0]!.describe(chartInks.light).options!.scales!.x as unknown as {
    afterBuildTicks: (axis: { ticks: { value: number }[] }) => void;
  };
  const axis = { ticks: [] };
  afterBuildTicks(axis);
  expect(axis.ticks).toEqual([{ value: 1 }, { value: 10 }]);
});

test('the axis of points fits them where the least is more than half of the greatest, and that of bars starts at zero', () => {
  const isFromZero = (choice: object) =>
    (drawn(choice)[0]!.describe(chartInks.light).options!.scales!.y as { beginAtZero: boolean }).beginAtZero;
  expect(isFromZero({ x: 'images' })).toBe(true);
  expect(isFromZero({ x: 'images', only: { images: [1], scenario: ['direct'] } })).toBe(false);
  expect(isFromZero({ x: 'images', kind: 'bars', only: { images: [1], scenario: ['direct'] } })).toBe(true);
});

test('a scatter has a dashed line beside the points of each Scenario, and says its slope', () => {
  const choice = completeChoice(design, FigureChoiceSchema.parse({ kind: 'scatter', x: 'receivedBytes' }));
  const arranged = arrangeFigure(measurements, choice);
  const { datasets } = drawArranged(arranged, design)[0]!.describe(chartInks.light).data;
  expect(datasets.map(({ label }) => label)).toEqual(['direct (baseline)', '', 'proxy', '']);
  // A point of the other type would have marks at its ends, however small.
  expect(datasets[1]).toMatchObject({ type: 'line', borderDash: [6, 4], pointRadius: 0 });
  expect(explainFigure(arranged, design)).toContain('Least-squares lines through the pages: direct: slope 2, R² 1.00;');
  expect(explainFigure({ ...arranged, leftOutPoints: 1 }, design)).toContain('1 point is left out: its pages have');
});

test('on a logarithmic axis nothing is at or below zero', () => {
  const values = measurements.values.totalMs!.map((value, index) => (index % 2 === 0 ? 0 : value));
  const arranged = arrangeFigure(
    { ...measurements, values: { totalMs: values } },
    completeChoice(design, FigureChoiceSchema.parse({ x: 'images', logX: true, logY: true })),
  );
  const { datasets } = drawArranged(arranged, design)[0]!.describe(chartInks.light).data;
  const marks = datasets.flatMap(({ data }) => data as unknown as { x: number; y: number; yMin: number }[]);
  expect(marks.length).toBeGreaterThan(0);
  expect(marks.every(({ x, y, yMin }) => x > 0 && y > 0 && yMin > 0)).toBe(true);
});

describe('a heat map', () => {
  const [figure] = drawn({ kind: 'heat', statistic: 'reduction', x: 'images', series: 'scenario' });
  const config = figure!.describe(chartInks.light);

  test('has a column for each place and a row for each series that has values', () => {
    expect(config.data.datasets[0]!.data).toMatchObject([
      { x: 1, y: 1 },
      { x: 2, y: 1 },
    ]);
    expect(figure!.table.rows.map((row) => row.slice(0, 2))).toEqual([
      ['proxy', 1],
      ['proxy', 10],
    ]);
  });

  test('writes values and intervals into cells, with a tint where the interval is on one side of zero', () => {
    const drawnAs: { text: string; alpha: number }[] = [];
    const fills: string[] = [];
    const ctx = {
      ...{ globalAlpha: 1, fillStyle: '', font: '', textAlign: '', textBaseline: '' },
      save: () => undefined,
      restore: () => undefined,
      fillRect(this: { fillStyle: string }) {
        fills.push(this.fillStyle);
      },
      fillText(this: { globalAlpha: number }, text: string) {
        drawnAs.push({ text, alpha: this.globalAlpha });
      },
    };
    const scale = { getPixelForValue: (value: number) => value * 400 };
    const [plugin] = config.plugins as unknown as { beforeDatasetsDraw: (chart: object) => void }[];
    plugin!.beforeDatasetsDraw({ ctx, scales: { x: scale, y: scale }, options: {} });
    const [value, interval] = [/^50.% less$/, /^\(50 to 50.%\)$/].map(
      (words) => expect.stringMatching(words) as unknown,
    );
    expect(drawnAs.map(({ text }) => text)).toEqual([value, interval, value, interval]);
    expect(drawnAs.every(({ alpha }) => alpha === 1)).toBe(true);
    expect(fills).toEqual(['#2563eb', '#2563eb']);
  });

  test('has a scale above it: which shade is which value, with words, and what is undecided', () => {
    const texts: string[] = [];
    const bars: { width: number; alpha: number }[] = [];
    const ctx = {
      ...{ globalAlpha: 1, fillStyle: '', strokeStyle: '', lineWidth: 1, font: '', textAlign: '', textBaseline: '' },
      ...{ save: () => undefined, restore: () => undefined, strokeRect: () => undefined },
      measureText: (text: string) => ({ width: 6 * text.length }),
      fillText: (text: string) => texts.push(text),
      fillRect(this: { globalAlpha: number }, _x: number, _y: number, width: number) {
        bars.push({ width, alpha: this.globalAlpha });
      },
    };
    const [, plugin] = config.plugins as unknown as { afterDraw: (chart: object) => void }[];
    plugin!.afterDraw({ ctx, scales: { shades: { right: 400, top: 0 } }, options: {} });
    expect(texts).toEqual([expect.stringMatching(/^50.% less$/), expect.stringMatching(/^0.%$/), 'undecided']);
    const [undecided, ...steps] = bars.toReversed();
    expect(undecided!.alpha).toBe(1);
    const opacities = steps.toReversed().map(({ alpha }) => alpha);
    expect(opacities).toEqual(opacities.toSorted((a, b) => a - b));
    expect(new Set(opacities).size).toBe(opacities.length);
    expect(config.options!.scales!.shades).toMatchObject({ position: 'top' });
  });

  test('says what its colours mean', () => {
    const arranged = arrangeFigure(
      measurements,
      completeChoice(design, FigureChoiceSchema.parse({ kind: 'heat', statistic: 'reduction', x: 'images' })),
    );
    expect(explainFigure(arranged, design)).toContain('Blue is less, orange more; what has no colour is undecided.');
  });
});

test('bars that lack a place leave it empty, so that each stands at its own', () => {
  const evaluation = evaluationOf({ pages: [{ images: 1 }], scenarios: ['one', 'two', 'three'] });
  const variables = [
    { by: 'poll', nagle: 'off' },
    { by: 'push', nagle: 'off' },
    { by: 'push', nagle: 'on' },
  ];
  const scenarios = evaluation.scenarios.map((each, index) => ({ ...each, variables: variables[index]! }));
  const measured = makeMeasurements(
    { ...evaluation, scenarios },
    { blocks: 2, measures: ['totalMs'], valuesOf: ({ block }) => [100 + block] },
  );
  const choice = FigureChoiceSchema.parse({ kind: 'bars', x: 'by', series: 'nagle' });
  const arranged = arrangeFigure(measured, completeChoice(measured.design, choice));
  const [figure] = drawArranged(arranged, measured.design);
  const { datasets } = figure!.describe(chartInks.light).data;
  // A word that says nothing alone has the name of its variable, but in a column of that name.
  expect(datasets.map(({ label }) => label)).toEqual(['nagle off', 'nagle on']);
  expect(new Set(figure!.table.rows.map(([nagle]) => nagle))).toEqual(new Set(['off', 'on']));
  const places = datasets.map(({ data }) =>
    (data as unknown as { x: string; y: number | null }[]).map(({ x, y }) => [x, y !== null]),
  );
  expect(places).toEqual([
    [
      ['0', true],
      ['1', true],
    ],
    [
      ['0', false],
      ['1', true],
    ],
  ]);
});
