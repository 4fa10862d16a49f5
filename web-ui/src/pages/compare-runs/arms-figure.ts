import type { Arm } from '#core/comparison/arms.ts';
import type { Figure } from '../../components/chart/figure.ts';
import type { ScenarioStyle } from '../../components/scenario/scenario-style.ts';
import { describePlot } from '../../figures/describe-plot.ts';
import { startsAtZero } from '../../figures/plot-axes.ts';
import { formatMs } from '../../format/format-times.ts';
import { lowsAndHighs, placeEstimate } from '../comparison/figures/interval-figures.ts';

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
    describe: describePlot(() => ({
      x: { kind: 'places', names: arms.map(({ runId, scenario }) => `Run ${runId}: ${scenario}`) },
      y: {
        kind: 'numbers',
        title: metricLabel,
        unit: 'ms',
        startsAtZero: startsAtZero(lowsAndHighs(arms.map(({ estimate }) => estimate))),
        limits: { grace: '4%' },
      },
      layers: scenarios.map((name) => ({
        kind: 'points',
        label: name,
        look: styles.get(name)!,
        marks: arms.flatMap(({ scenario, estimate }, index) =>
          scenario === name ? placeEstimate(estimate, { x: index + 1, write: formatMs }) : [],
        ),
      })),
    })),
  };
}
