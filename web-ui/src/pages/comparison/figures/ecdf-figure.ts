import type { ChartConfiguration } from 'chart.js';
import type { Cell } from '#core/comparison/comparison.ts';
import type { Figure } from '../../../components/chart/figure.ts';
import { labelScenario, type ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { formatMs } from '../../../format/format-ms.ts';
import { valueAxis } from './value-axis.ts';

/** What part of the Visits of one URL took at most so long, a line per Scenario. */
export function ecdfFigure(
  cells: Cell[],
  { url, metricLabel, styles }: { url: string; metricLabel: string; styles: Map<string, ScenarioStyle> },
): Figure {
  const title = `Distribution of the Visits of ${url}`;
  const pointsOf = ({ distribution }: Cell) => (distribution?.ecdf.kind === 'measured' ? distribution.ecdf.points : []);
  return {
    title,
    fileName: `distribution ${url}`,
    table: {
      columns: [
        { label: 'Scenario' },
        { label: metricLabel, unit: 'ms' },
        { label: 'share of Visits up to this latency', decimals: 3 },
      ],
      rows: cells.flatMap((cell) => pointsOf(cell).map(({ value, ratio }) => [cell.scenario, value, ratio])),
    },
    describe: (inks): ChartConfiguration => ({
      type: 'line',
      data: {
        datasets: cells.map((cell) => {
          const points = pointsOf(cell);
          const colour = inks.shade(styles.get(cell.scenario)!.colour);
          return {
            label: labelScenario(cell.scenario, styles),
            data: [
              ...points.slice(0, 1).map(({ value }) => ({ x: value, y: 0 })),
              ...points.map(({ value, ratio }) => ({ x: value, y: ratio })),
            ],
            stepped: true as const,
            borderColor: colour,
            backgroundColor: colour,
            pointStyle: styles.get(cell.scenario)?.shape ?? 'circle',
            borderWidth: 2,
            pointRadius: 2.5,
          };
        }),
      },
      options: {
        animation: false,
        maintainAspectRatio: false,
        // As much as a mark at 100 % needs.
        clip: 6,
        parsing: false,
        interaction: { mode: 'nearest', intersect: false },
        scales: {
          x: valueAxis({ title: `${metricLabel}, ms`, inks, startsAtZero: false }),
          y: {
            ...valueAxis({ title: 'Share of Visits', inks, format: (value) => `${Math.round(value * 100)} %` }),
            max: 1,
          },
        },
        plugins: {
          tooltip: {
            callbacks: {
              title: () => '',
              label: ({ dataset, parsed }) =>
                `${dataset.label ?? ''}: ${Math.round(parsed.y * 100)} % in ${formatMs(parsed.x)}`,
            },
          },
        },
      },
    }),
  };
}
