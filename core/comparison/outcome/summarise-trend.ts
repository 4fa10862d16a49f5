import type { Comparison } from '../comparison.ts';
import type { RunTrend } from './run-trend.ts';

/** Raise it when the same Comparison gives another trend than before: those that are stored are then made again. */
export const trendVersion = 3;

/** The means and reductions of the Scenarios in the primary metric, as the Comparison has them. */
export function summariseTrend(
  { metrics, primaryMetric }: Pick<Comparison, 'metrics' | 'primaryMetric'>,
  { engineVersions, metricsVersions }: Pick<RunTrend, 'engineVersions' | 'metricsVersions'>,
): RunTrend {
  const { scenarios } = metrics.find(({ metric }) => metric === primaryMetric)!;
  return {
    metric: primaryMetric,
    scenarios: scenarios.map(({ scenario, isBaseline, estimate, reduction }) => ({
      scenario,
      isBaseline,
      rounds: estimate?.rounds ?? 0,
      meanMs: estimate?.mean ?? null,
      halfWidthMs: estimate?.halfWidth ?? null,
      reduction: reduction && { ratio: reduction.ratio, low: reduction.low, high: reduction.high },
    })),
    engineVersions: [...new Set(engineVersions)].sort(),
    metricsVersions,
  };
}
