import { tQuantile } from '../../statistics/t-quantile.ts';
import type { Comparison, Reduction } from '../comparison.ts';
import type { RunTrend } from './run-trend.ts';

/** Raise it when the same Comparison gives another trend than before: those that are stored are then made again. */
export const trendVersion = 4;

/** The means and reductions of the Scenarios in the primary metric, as the Comparison has them. */
export function summariseTrend(
  { metrics, primaryMetric, intervalConfidence }: Pick<Comparison, 'metrics' | 'primaryMetric' | 'intervalConfidence'>,
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
      reduction: reduction && {
        ratio: reduction.ratio,
        low: reduction.low,
        high: reduction.high,
        standardError: standardErrorOf(reduction, intervalConfidence),
      },
    })),
    engineVersions: [...new Set(engineVersions)].sort(),
    metricsVersions,
  };
}

/** Of the mean log ratio, from its t interval. Null where there is none, or where a bound is beyond all numbers. */
function standardErrorOf({ blocks, low, high }: Reduction, confidence: number): number | null {
  if (low === null || high === null || blocks < 2) return null;
  const halfWidth = (Math.log1p(-low) - Math.log1p(-high)) / 2;
  return Number.isFinite(halfWidth) ? halfWidth / tQuantile((1 + confidence) / 2, blocks - 1) : null;
}
