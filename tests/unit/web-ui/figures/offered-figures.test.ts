import { expect, test } from 'vitest';
import { FigureChoiceSchema } from '#core/evaluation/figures/figure-choice.ts';
import { drawBesidePaper, drawOverTime } from '#web-ui/src/report/offer-figures.ts';
import { makeCaptured } from '#tests/support/captured-trace.ts';
import { evaluationOf, makeMeasurements } from '#tests/support/make-measurements.ts';

const measurements = makeMeasurements(
  evaluationOf({ pages: [{ images: 1 }, { images: 9 }], scenarios: ['direct', 'proxy'] }),
  { blocks: 2, measures: ['totalMs'], valuesOf: ({ scenario }) => [scenario === 'direct' ? 2000 : 1000] },
);

test('the points of a paper are drawn beside what was measured, after it and by its name', () => {
  const choice = FigureChoiceSchema.parse({ kind: 'line', x: 'images' });
  const paper = [
    {
      source: 'A paper',
      scenario: 'direct',
      points: [
        [1, 1500],
        [9, 2500],
      ] as [number, number][],
    },
  ];
  const [figure, ...others] = drawBesidePaper({ measurements, choice, paper });
  expect(others).toEqual([]);
  const named = figure!.table.rows.map((row) => row.filter((cell) => typeof cell === 'string').join());
  expect([...new Set(named)]).toEqual(['direct', 'proxy', 'direct, paper']);
  expect(figure!.table.rows.at(-1)).toEqual(expect.arrayContaining(['direct, paper', 9, 2500]));
  const rounds = figure!.table.columns.findIndex(({ label }) => label === 'Rounds');
  expect(figure!.table.rows.map((row) => row[rounds])).toEqual([2, 2, 2, 2, null, null]);
});

test('a load has its throughput both ways where they are known, each with the rate of its way, and its connections', () => {
  const { statistics } = makeCaptured();
  const draw = (known: boolean) => {
    const throughput = known ? statistics.throughput : { ...statistics.throughput, sent: null };
    const capture = { statistics: { ...statistics, throughput }, clockOffsetMs: 0 };
    const load = { title: 'a load', userAgent: 'alice', capture, forwardKbps: 1000, returnKbps: 256 };
    return drawOverTime(load).map(({ title }) => title);
  };
  expect(draw(true)).toEqual([
    'Received in bins of 100 ms: a load',
    'Sent in bins of 100 ms: a load',
    'Connections of a load: activity',
  ]);
  expect(draw(false)).toEqual(['Received in bins of 100 ms: a load', 'Connections of a load: activity']);
});
