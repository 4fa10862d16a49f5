import type { ScenarioTrend } from '../comparison/outcome/summarise-trend.ts';
import type { LatencyId } from '../metrics/index.ts';
import type { TrendRun } from '../protocol/api/evaluation-trend.ts';

/** What Runs are placed by: when they started, the engine that loaded the pages, or the label of a key. */
export type TrendAxis = 'date' | 'engine' | `label:${string}`;

/** One Run in the trend. */
export interface TrendPlace {
  runId: string;
  startedAt: string;
  /** What the axis says of it; empty where the Run has no such label or version. */
  value: string;
  /** A letter for each set of settings: A is that of the oldest Run. */
  settings: string;
  hasNewestSettings: boolean;
  /** The versions of the definitions that its Readings follow, such as `3`; empty where they are not known. */
  definitions: string;
  /** False only where both are known. */
  hasNewestDefinitions: boolean;
  labels: TrendRun['labels'];
  /** What loaded the pages, such as `Chrome/140.0.7339.80`. */
  engines: string;
  scenarios: ReadonlyMap<string, ScenarioTrend>;
}

export interface ArrangedTrend {
  metric: LatencyId;
  /** By date in the order of their start, else in the order of their values. */
  places: TrendPlace[];
  /** Those of the newest Run first, in its order. */
  scenarios: { name: string; baseline: boolean }[];
  /** Runs whose figures are not computed yet. */
  waiting: number;
  /** Runs with another primary metric than the newest one. */
  otherMetric: number;
}

/** The axes that these Runs can be placed by. */
export function listAxes(runs: readonly TrendRun[]): TrendAxis[] {
  const keys = new Set(runs.flatMap(({ labels }) => Object.keys(labels)));
  return ['date', 'engine', ...[...keys].sort().map((key): TrendAxis => `label:${key}`)];
}

/** Null while no Run has figures. */
export function arrangeTrend(runs: readonly TrendRun[], axis: TrendAxis): ArrangedTrend | null {
  const computed = runs.flatMap((run) => (run.trend ? [{ ...run, trend: run.trend }] : []));
  const newest = computed.at(-1);
  if (!newest) return null;
  const { metric } = newest.trend;
  const shown = computed.filter(({ trend }) => trend.metric === metric);
  const settings = [...new Set(shown.map((run) => run.settings))];
  const places = shown.map((run): TrendPlace => ({
    runId: run.id,
    startedAt: run.startedAt,
    value: valueOf(run, axis),
    settings: letterOf(settings.indexOf(run.settings)),
    hasNewestSettings: run.settings === newest.settings,
    definitions: run.trend.metricsVersions.join(' and '),
    hasNewestDefinitions: areOneDefinition(run.trend.metricsVersions, newest.trend.metricsVersions),
    labels: run.labels,
    engines: listEngines(run),
    scenarios: new Map(run.trend.scenarios.map((each) => [each.scenario, each])),
  }));
  return {
    metric,
    places: axis === 'date' ? places : places.toSorted((one, other) => compareAxisValues(one.value, other.value)),
    scenarios: listScenarios(shown.map(({ trend }) => trend.scenarios).reverse()),
    waiting: runs.length - computed.length,
    otherMetric: computed.length - shown.length,
  };
}

/** Whether Readings of these versions have the same meaning, as far as is known. */
function areOneDefinition(...versions: [readonly number[], readonly number[]]): boolean {
  return versions.some(({ length }) => length === 0) || new Set(versions.flat()).size === 1;
}

function listEngines({ trend }: TrendRun): string {
  return trend?.engineVersions.join(', ') ?? '';
}

function valueOf(run: TrendRun, axis: TrendAxis): string {
  const { startedAt, labels } = run;
  if (axis === 'date') return startedAt;
  if (axis === 'engine') return listEngines(run);
  const key = axis.slice('label:'.length);
  return Object.hasOwn(labels, key) ? labels[key]! : '';
}

/** Numbers in texts by their value, so that build 9 comes before build 10; Runs without a value last. */
function compareAxisValues(one: string, other: string): number {
  if (one === '' || other === '') return Number(one === '') - Number(other === '');
  return one.localeCompare(other, 'en', { numeric: true });
}

function listScenarios(newestFirst: readonly (readonly ScenarioTrend[])[]): ArrangedTrend['scenarios'] {
  const found = new Map<string, boolean>();
  for (const { scenario, isBaseline } of newestFirst.flat()) if (!found.has(scenario)) found.set(scenario, isBaseline);
  return [...found].map(([name, baseline]) => ({ name, baseline }));
}

/** A to Z, then A1 to Z1 and so on. */
function letterOf(index: number): string {
  const round = Math.floor(index / 26);
  return String.fromCharCode(65 + (index % 26)) + (round === 0 ? '' : String(round));
}
