import type { ChartConfiguration } from 'chart.js';
import type { Estimate } from '#core/comparison/comparison.ts';
import type { ScenarioUsers } from '#core/comparison/users/user-comparison.ts';
import type { Figure } from '../../../components/chart/figure.ts';
import { labelScenario, type ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { formatMs } from '../../../format/format-ms.ts';
import { scenarioMarks, dodgeOf } from './scenario-marks.ts';
import { placeAxis, startsAtZero, valueAxis } from './value-axis.ts';

/** A User Agent and its class, as groups of bars are named after it. */
export interface ClassedUser {
  name: string;
  userClass: string | null;
}

interface UserLatencyOptions {
  users: ClassedUser[];
  scenarios: ScenarioUsers[];
  styles: Map<string, ScenarioStyle>;
  metricLabel: string;
}

/** Latency of each User Agent, those of a class side by side, a mark per Scenario with its interval. */
export function userLatencyFigure({ users, scenarios, styles, metricLabel }: UserLatencyOptions): Figure {
  const ordered = groupByClass(users);
  const title = `${metricLabel} of each User Agent`;
  const byName = new Map(
    scenarios.map((scenario) => [scenario, new Map(scenario.users.map((user) => [user.userAgent, user]))]),
  );
  const of = (scenario: ScenarioUsers, { name }: ClassedUser) => byName.get(scenario)?.get(name);
  const estimates = scenarios.flatMap(({ users: own }) => own.map(({ latencyMs }) => latencyMs));
  return {
    title,
    fileName: title,
    table: {
      columns: [
        { label: 'Scenario' },
        { label: 'User Agent' },
        { label: 'class' },
        { label: metricLabel, unit: 'ms' },
        { label: '±', unit: 'ms' },
        { label: 'relative latency', decimals: 3 },
        { label: '± relative', decimals: 3 },
        { label: 'Rounds', decimals: 0 },
      ],
      rows: scenarios.flatMap((scenario) =>
        ordered.map((user) => {
          const { latencyMs = null, relativeLatency = null } = of(scenario, user) ?? {};
          return [
            scenario.scenario,
            user.name,
            user.userClass ?? '',
            latencyMs?.mean ?? null,
            latencyMs?.halfWidth ?? null,
            relativeLatency?.mean ?? null,
            relativeLatency?.halfWidth ?? null,
            latencyMs?.rounds ?? null,
          ];
        }),
      ),
    },
    describe: (inks): ChartConfiguration => ({
      type: 'scatterWithErrorBars',
      data: {
        datasets: scenarios.map((scenario, order) => ({
          label: labelScenario(scenario.scenario, styles),
          data: ordered.flatMap((user, index) =>
            placeEstimate(of(scenario, user)?.latencyMs ?? null, index + 1 + dodgeOf(order, scenarios.length)),
          ),
          ...scenarioMarks(styles.get(scenario.scenario)!, inks),
        })),
      },
      options: {
        animation: false,
        maintainAspectRatio: false,
        interaction: { mode: 'nearest', intersect: false },
        scales: {
          x: placeAxis(
            ordered.map(({ name, userClass }) => (userClass === null ? name : `${name} (${userClass})`)),
            inks,
          ),
          y: {
            ...valueAxis({ title: `${metricLabel}, ms`, inks, startsAtZero: startsAtZero(lowsAndHighs(estimates)) }),
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

/** The users of each class together, classes in the order of their first user. */
export function groupByClass(users: readonly ClassedUser[]): ClassedUser[] {
  return [...Map.groupBy(users, ({ userClass }) => userClass).values()].flat();
}

/** A point with its error bar, or none. */
export function placeEstimate(estimate: Estimate | null, x: number) {
  if (!estimate) return [];
  const { mean, halfWidth } = estimate;
  return [{ x, y: mean, yMin: mean - (halfWidth ?? 0), yMax: mean + (halfWidth ?? 0) }];
}

/** The ends of all intervals, for an axis that holds them. */
export function lowsAndHighs(estimates: readonly (Estimate | null)[]): number[] {
  return estimates.flatMap((estimate) => placeEstimate(estimate, 0).flatMap(({ yMin, yMax }) => [yMin, yMax]));
}
