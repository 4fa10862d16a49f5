import type { ChartConfiguration } from 'chart.js';
import type { Figure } from '../../components/chart/figure.ts';
import type { ScenarioStyle } from '../../components/scenario/scenario-style.ts';
import { formatMs } from '../../format/format-ms.ts';
import { scenarioMarks } from '../comparison/figures/scenario-marks.ts';
import { lowsAndHighs, placeEstimate } from '../comparison/figures/user-latency-figure.ts';
import { placeAxis, startsAtZero, valueAxis } from '../comparison/figures/value-axis.ts';
import type { Arm } from '#core/comparison/arms.ts';

/** The mean of each Scenario of each Run with its interval, side by side. */
export function armsFigure(
  arms: Arm[],
  { styles, metricLabel }: { styles: Map<string, ScenarioStyle>; metricLabel: string },
): Figure {
  const title = `${metricLabel} by Run and Scenario`;
  const scenarios = [...new Set(arms.map(({ scenario }) => scenario))];
  return {
    title,
    fileName: title,
    table: {
      columns: [
        { label: 'Run' },
        { label: 'Evaluation' },
        { label: 'Scenario' },
        { label: metricLabel, unit: 'ms' },
        { label: '±', unit: 'ms' },
        { label: 'Rounds', decimals: 0 },
      ],
      rows: arms.map(({ runId, evaluationName, scenario, estimate, values }) => [
        runId,
        evaluationName,
        scenario,
        estimate?.mean ?? null,
        estimate?.halfWidth ?? null,
        values.length,
      ]),
    },
    describe: (inks): ChartConfiguration => ({
      type: 'scatterWithErrorBars',
      data: {
        datasets: scenarios.map((name) => ({
          label: name,
          data: arms.flatMap(({ scenario, estimate }, index) =>
            scenario === name ? placeEstimate(estimate, index + 1) : [],
          ),
          ...scenarioMarks(styles.get(name)!, inks),
        })),
      },
      options: {
        animation: false,
        maintainAspectRatio: false,
        scales: {
          x: placeAxis(
            arms.map(({ runId, scenario }) => `Run ${runId}: ${scenario}`),
            inks,
          ),
          y: {
            ...valueAxis({
              title: `${metricLabel}, ms`,
              inks,
              startsAtZero: startsAtZero(lowsAndHighs(arms.map(({ estimate }) => estimate))),
            }),
            grace: '4%',
          },
        },
        plugins: {
          tooltip: {
            callbacks: {
              title: () => '',
              label: ({ dataset, parsed }) => `${dataset.label ?? ''}: ${formatMs(parsed.y)}`,
            },
            usePointStyle: true,
            boxPadding: 6,
          },
        },
      },
    }),
  };
}
