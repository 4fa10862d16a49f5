import type { ChartConfiguration } from 'chart.js';
import type { Cell } from '#core/comparison/comparison.ts';
import type { Figure } from '../../../components/chart/figure.ts';
import { labelScenario, type ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { fade } from './fade.ts';
import { valueAxis } from './value-axis.ts';

interface Box {
  min: number;
  q1: number;
  median: number;
  q3: number;
  max: number;
}

/** With more Visits than this, their points would hide the box. */
const mostPoints = 30;

/** The distribution of the Visits of one URL, a box per Scenario: quartiles, and the whole range as whiskers, so that no Visit is hidden. Few Visits have a point each. */
export function boxFigure(
  cells: Cell[],
  { url, metricLabel, styles }: { url: string; metricLabel: string; styles: Map<string, ScenarioStyle> },
): Figure {
  const title = `${metricLabel} of the Visits of ${url}`;
  const boxes = cells.map((cell) => ({
    scenario: cell.scenario,
    box: boxOf(cell),
    values: listVisitValues(cell, mostPoints) ?? [],
  }));
  return {
    title,
    fileName: `box plot ${url}`,
    table: {
      columns: [
        { label: 'Scenario' },
        ...['minimum', 'first quartile', 'median', 'third quartile', 'maximum'].map((label) => ({ label, unit: 'ms' })),
      ],
      rows: boxes.map(({ scenario, box }) => [
        scenario,
        box?.min ?? null,
        box?.q1 ?? null,
        box?.median ?? null,
        box?.q3 ?? null,
        box?.max ?? null,
      ]),
    },
    describe: (inks): ChartConfiguration => {
      const drawn = boxes.flatMap(({ scenario, box, values }) =>
        box === null ? [] : [{ scenario, box, values, colour: inks.shade(styles.get(scenario)!.colour) }],
      );
      return {
        type: 'boxplot',
        data: {
          labels: drawn.map(({ scenario }) => labelScenario(scenario, styles)),
          datasets: [
            {
              label: '',
              data: drawn.map(({ box, values }) => ({
                ...box,
                whiskerMin: box.min,
                whiskerMax: box.max,
                items: values,
                outliers: [],
              })),
              borderColor: drawn.map(({ colour }) => colour),
              backgroundColor: drawn.map(({ colour }) => fade(colour, 0.2)),
              borderWidth: 2,
              itemRadius: 3,
              itemStyle: 'circle',
              itemBackgroundColor: drawn.map(({ colour }) => colour),
              itemBorderColor: inks.paper,
              itemBorderWidth: 1,
              maxBarThickness: 46,
            },
          ],
        },
        options: {
          animation: false,
          maintainAspectRatio: false,
          scales: {
            x: { grid: { display: false }, ticks: { color: inks.text }, border: { color: inks.line } },
            y: { ...valueAxis({ title: `${metricLabel}, ms`, inks, startsAtZero: false }), grace: '6%' },
          },
        },
      };
    },
  };
}

/** Quartiles as the smallest value at or below which that part of the Visits lies; null where the report has no distribution. */
export function boxOf({ distribution }: Pick<Cell, 'distribution'>): Box | null {
  if (distribution?.ecdf.kind !== 'measured' || distribution.ecdf.points.length === 0) return null;
  const { points } = distribution.ecdf;
  const quantile = (ratio: number) => points.find((point) => point.ratio >= ratio - 1e-12)!.value;
  return {
    min: points[0]!.value,
    q1: quantile(0.25),
    median: quantile(0.5),
    q3: quantile(0.75),
    max: points.at(-1)!.value,
  };
}

/**
 * The value of each Visit of a cell, in order of size; null where there are more than `most`, or where the report has no distribution. Of so few Visits the
 * distribution has every step, and the height of a step is how many Visits have its value.
 */
export function listVisitValues(
  {
    distribution,
    visits,
    failedVisits,
    absentVisits,
    leftOutVisits,
  }: Pick<Cell, 'distribution' | 'visits' | 'failedVisits' | 'absentVisits' | 'leftOutVisits'>,
  most: number,
): number[] | null {
  const count = visits - failedVisits - absentVisits - leftOutVisits;
  if (distribution?.ecdf.kind !== 'measured' || count > most) return null;
  const { points } = distribution.ecdf;
  return points.flatMap(({ value, ratio }, index) => {
    const below = points[index - 1]?.ratio ?? 0;
    return Array.from({ length: Math.round((ratio - below) * count) }, () => value);
  });
}
