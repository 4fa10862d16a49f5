import type { ChartConfiguration } from 'chart.js';
import type { ScenarioUsers } from '#core/comparison/users/user-comparison.ts';
import type { Figure } from '../../../components/chart/figure.ts';
import { labelScenario, type ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { formatNumber } from '../../../format/format-number.ts';
import { scenarioMarks, dodgeOf } from './scenario-marks.ts';
import { placeEstimate } from './user-latency-figure.ts';
import { placeAxis, valueAxis } from './value-axis.ts';

const rules = new Intl.PluralRules('en', { type: 'ordinal' });
const suffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

/** Relative latency by who started first, second, … in each Round; 1 is like all of the Round. Null where no Scenario knows the starts. */
export function startOrderFigure(scenarios: ScenarioUsers[], styles: Map<string, ScenarioStyle>): Figure | null {
  const places = Math.max(0, ...scenarios.map(({ byStartOrder }) => byStartOrder?.length ?? 0));
  if (places === 0) return null;
  const names = Array.from({ length: places }, (_, index) => (index === 0 ? '1st to start' : formatOrdinal(index + 1)));
  const title = 'Relative latency by start order';
  return {
    title,
    fileName: title,
    table: {
      columns: [
        { label: 'Scenario' },
        { label: 'place', decimals: 0 },
        { label: 'relative latency', decimals: 4 },
        { label: '±', decimals: 4 },
        { label: 'Rounds', decimals: 0 },
      ],
      rows: scenarios.flatMap(({ scenario, byStartOrder }) =>
        (byStartOrder ?? []).map((estimate, index) => [
          scenario,
          index + 1,
          estimate?.mean ?? null,
          estimate?.halfWidth ?? null,
          estimate?.rounds ?? null,
        ]),
      ),
    },
    describe: (inks): ChartConfiguration => ({
      type: 'scatterWithErrorBars',
      data: {
        datasets: scenarios.map(({ scenario, byStartOrder }, order) => ({
          label: labelScenario(scenario, styles),
          data: (byStartOrder ?? []).flatMap((estimate, index) =>
            placeEstimate(estimate, index + 1 + dodgeOf(order, scenarios.length)),
          ),
          ...scenarioMarks(styles.get(scenario)!, inks),
        })),
      },
      options: {
        animation: false,
        maintainAspectRatio: false,
        interaction: { mode: 'nearest', intersect: false },
        scales: {
          x: placeAxis(names, inks),
          y: {
            ...valueAxis({
              title: 'relative latency',
              inks,
              startsAtZero: false,
              format: (value) => formatNumber(value, 2),
            }),
            grace: '10%',
            suggestedMin: 0.95,
            suggestedMax: 1.05,
            grid: { color: ({ tick }) => (tick.value === 1 ? inks.text : inks.line) },
          },
        },
        plugins: {
          tooltip: {
            callbacks: {
              title: () => '',
              label: ({ dataset, parsed }) => `${dataset.label ?? ''}: ${formatNumber(parsed.y, 3)}`,
            },
            usePointStyle: true,
            boxPadding: 6,
          },
        },
      },
    }),
  };
}

/** `1st`, `2nd`, `3rd`, `4th`. */
export function formatOrdinal(value: number): string {
  return `${value}${suffixes[rules.select(value)] ?? 'th'}`;
}
