import { isBaseline } from '#core/comparison/compared-group.ts';
import type { Comparison, MetricComparison } from '#core/comparison/comparison.ts';
import { catalogue } from '#core/metrics/index.ts';

export type ForestCompared = Pick<Comparison, 'metrics' | 'scenarios' | 'baseline' | 'groups' | 'primaryMetric'>;

/** A line of the forest plot: marks of several Scenarios in one metric or, where the metric is null, a heading. */
interface ForestPlace {
  label: string;
  metric: MetricComparison | null;
  /** Those that have a mark here. */
  scenarios: string[];
  /** Beside a heading: what the Scenarios below are compared with. */
  note: string;
}

/** With more lines than this, the plot has the primary metric only: a line for each group. */
const mostLines = 48;

/** Whether the groups are too many for all metrics. */
export function isPrimaryOnly({ groups = [], metrics }: Pick<ForestCompared, 'groups' | 'metrics'>): boolean {
  return groups.length * (1 + metrics.length) > mostLines;
}

/** The lines of the forest plot, from the top: a metric each or, where Scenarios have groups, the metrics below the name of each group. */
export function placeForest(comparison: ForestCompared): ForestPlace[] {
  const { metrics, groups, scenarios, primaryMetric } = comparison;
  const lineOf = (metric: MetricComparison, own: readonly string[], label: string): ForestPlace => ({
    label,
    metric,
    scenarios: own.filter((name) => !isBaseline(comparison, name)),
    note: '',
  });
  if (!groups) return metrics.map((metric) => lineOf(metric, scenarios, catalogue[metric.metric].label));
  if (isPrimaryOnly(comparison)) {
    const primary = metrics.filter(({ metric }) => metric === primaryMetric);
    return groups.flatMap((group) => primary.map((metric) => lineOf(metric, group.scenarios, group.name)));
  }
  return groups.flatMap((group) => [
    { label: group.name, metric: null, scenarios: [], note: `vs ${group.baseline}` },
    ...metrics.map((metric) => lineOf(metric, group.scenarios, catalogue[metric.metric].label)),
  ]);
}
