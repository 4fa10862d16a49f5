import type { ChartConfiguration } from 'chart.js';
import { type ScenarioWire, type WireFigure, wireFigures } from '#core/comparison/wire-comparison.ts';
import type { Figure } from '../../../components/chart/figure.ts';
import type { ScenarioStyle } from '../../../components/scenario-style.ts';
import { formatNumber } from '../../../format/format-number.ts';
import { valueAxis } from './value-axis.ts';

/** One figure of the wire per Visit, a bar per Scenario with its interval. */
export function wireFigure(
  scenarios: ScenarioWire[],
  { figure, styles }: { figure: WireFigure; styles: Map<string, ScenarioStyle> },
): Figure {
  const title = `${wireFigures[figure].label} per Visit`;
  return {
    title,
    fileName: title,
    table: {
      columns: [{ label: 'Scenario' }, { label: title }, { label: '±' }, { label: 'Rounds', decimals: 0 }],
      rows: scenarios.map(({ scenario, figures }) => [
        scenario,
        figures[figure]?.mean ?? null,
        figures[figure]?.halfWidth ?? null,
        figures[figure]?.rounds ?? null,
      ]),
    },
    describe: (inks): ChartConfiguration => ({
      type: 'barWithErrorBars',
      data: {
        labels: scenarios.map(({ scenario }) => scenario),
        datasets: [
          {
            label: title,
            data: scenarios.flatMap(({ figures }) => {
              const { mean = Number.NaN, halfWidth = null } = figures[figure] ?? {};
              return { y: mean, yMin: mean - (halfWidth ?? 0), yMax: mean + (halfWidth ?? 0) } as {
                x: number;
                y: number;
                yMin: number;
                yMax: number;
              };
            }),
            backgroundColor: scenarios.map(({ scenario }) => styles.get(scenario)?.colour ?? inks.text),
            errorBarColor: inks.text,
            errorBarWhiskerColor: inks.text,
            maxBarThickness: 56,
          },
        ],
      },
      options: {
        animation: false,
        maintainAspectRatio: false,
        scales: {
          x: { grid: { display: false }, ticks: { color: inks.text }, border: { color: inks.line } },
          y: valueAxis({ title, inks }),
        },
        plugins: { tooltip: { callbacks: { label: ({ parsed }) => formatNumber(parsed.y, 1) } } },
      },
    }),
  };
}
