import { z } from 'zod';
import { latencyIds } from '../../metrics/index.ts';
import { tQuantile } from '../../statistics/mean-interval.ts';
import type { Comparison, Reduction } from '../comparison.ts';

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

/** One Scenario of a Run as the trend of its Evaluation shows it. */
const ScenarioTrendSchema = z.object({
  scenario: z.string(),
  isBaseline: z.boolean(),
  rounds: z.number().int(),
  /** Null when no Visit has a value. */
  meanMs: z.number().nullable(),
  /** Of the interval of the mean; null with fewer than two Rounds. */
  halfWidthMs: z.number().nullable(),
  /** Against the baseline of the same Run; null for the baseline, and when no Block has both. */
  reduction: z
    .object({
      ratio: z.number(),
      low: z.number().nullable(),
      high: z.number().nullable(),
      /** Of the mean log ratio that the reduction is 1 − exp of. Null with fewer than two Blocks, and where an earlier version computed it. */
      standardError: z.number().nullable().default(null),
    })
    .nullable(),
});
export type ScenarioTrend = z.infer<typeof ScenarioTrendSchema>;

/** What a Run adds to the trend of its Evaluation, in its primary metric. */
export const RunTrendSchema = z.object({
  metric: z.enum(latencyIds),
  scenarios: z.array(ScenarioTrendSchema),
  /** What loaded the pages, such as `Chrome/140.0.7339.80`, each once. */
  engineVersions: z.array(z.string()),
  /** Of the definitions that its Readings follow, each once. Empty where that is not known: a Run whose Visits were deleted before this was kept. */
  metricsVersions: z.array(z.number().int()).default([]),
});
export type RunTrend = z.infer<typeof RunTrendSchema>;
