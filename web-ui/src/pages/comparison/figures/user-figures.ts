import type { ScenarioBandwidth } from '#core/comparison/comparison.ts';
import type { ScenarioUsers } from '#core/comparison/users/compare-users.ts';
import type { Figure } from '../../../components/chart/figure.ts';
import { labelScenario, type ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { describePlot } from '../../../figures/describe-plot.ts';
import { dodgeOf } from '../../../figures/dodge-marks.ts';
import { startsAtZero } from '../../../figures/plot-axes.ts';
import { formatNumber } from '../../../format/format-numbers.ts';
import { formatPercent } from '../../../format/format-ratios.ts';
import { formatMs } from '../../../format/format-times.ts';
import { lowsAndHighs, placeEstimate } from './interval-figures.ts';

const rules = new Intl.PluralRules('en', { type: 'ordinal' });
const suffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

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
    describe: describePlot(() => ({
      x: {
        kind: 'places',
        names: ordered.map(({ name, userClass }) => (userClass === null ? name : `${name} (${userClass})`)),
      },
      y: {
        kind: 'numbers',
        title: metricLabel,
        unit: 'ms',
        startsAtZero: startsAtZero(lowsAndHighs(estimates)),
        limits: { grace: '4%' },
      },
      layers: scenarios.map((scenario, order) => ({
        kind: 'points',
        label: labelScenario(scenario.scenario, styles),
        look: styles.get(scenario.scenario)!,
        marks: ordered.flatMap((user, index) =>
          placeEstimate(of(scenario, user)?.latencyMs ?? null, {
            x: index + 1 + dodgeOf(order, scenarios.length),
            write: formatMs,
          }),
        ),
      })),
      reads: 'nearest',
    })),
  };
}

/** The users of each class together, classes in the order of their first user. */
export function groupByClass(users: readonly ClassedUser[]): ClassedUser[] {
  return [...Map.groupBy(users, ({ userClass }) => userClass).values()].flat();
}

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
    describe: describePlot(() => ({
      x: { kind: 'places', names },
      y: {
        kind: 'numbers',
        title: 'relative latency',
        startsAtZero: false,
        format: (value) => formatNumber(value, 2),
        strongAt: 1,
        limits: { grace: '10%', suggestedMin: 0.95, suggestedMax: 1.05 },
      },
      layers: scenarios.map(({ scenario, byStartOrder }, order) => ({
        kind: 'points',
        label: labelScenario(scenario, styles),
        look: styles.get(scenario)!,
        marks: (byStartOrder ?? []).flatMap((estimate, index) =>
          placeEstimate(estimate, {
            x: index + 1 + dodgeOf(order, scenarios.length),
            write: (value) => formatNumber(value, 3),
          }),
        ),
      })),
      reads: 'nearest',
    })),
  };
}

/** `1st`, `2nd`, `3rd`, `4th`. */
export function formatOrdinal(value: number): string {
  return `${value}${suffixes[rules.select(value)] ?? 'th'}`;
}

/** What part of all bytes each User Agent received, stacked to the whole, a bar per Scenario. */
export function shareFigure(scenarios: ScenarioBandwidth[], colours: Map<string, string>): Figure {
  const userAgents = [...colours.keys()];
  const title = 'Bandwidth share of each User Agent';
  const shareOf = (scenario: ScenarioBandwidth, name: string) =>
    scenario.shares.find(({ userAgent }) => userAgent === name)?.estimate ?? null;
  return {
    title,
    fileName: title,
    hasIntervals: false,
    table: {
      columns: [
        { label: 'Scenario' },
        { label: 'User Agent' },
        { label: 'share', decimals: 4 },
        { label: '±', decimals: 4 },
        { label: 'Rounds', decimals: 0 },
      ],
      rows: scenarios.flatMap((scenario) =>
        userAgents.map((name) => {
          const share = shareOf(scenario, name);
          return [scenario.scenario, name, share?.mean ?? null, share?.halfWidth ?? null, share?.rounds ?? null];
        }),
      ),
    },
    describe: describePlot(() => ({
      x: {
        kind: 'numbers',
        title: '',
        format: (value) => `${Math.round(value * 100)} %`,
        isStacked: true,
        limits: { max: 1 },
      },
      y: { kind: 'categories', names: scenarios.map(({ scenario }) => scenario), isStacked: true },
      layers: userAgents.map((name) => ({
        kind: 'parts',
        label: name,
        colour: colours.get(name)!,
        parts: scenarios.map((scenario) => {
          const share = shareOf(scenario, name);
          return share
            ? { value: share.mean, title: scenario.scenario, text: formatPercent(share.mean) }
            : { value: null };
        }),
      })),
    })),
  };
}
