import { z } from 'zod';
import { latencyIds } from '../../metrics/index.ts';

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
