import { z } from 'zod';
import { latencyIds } from '../metrics/index.ts';
import { ComparedGroupSchema } from './compared-group.ts';
import { RunStateSchema } from '../protocol/api/run-summary.ts';

/** A mean over Rounds with half the width of its t interval; null with fewer than two. */
const MeanSchema = z.object({ rounds: z.number().int(), mean: z.number(), halfWidth: z.number().nullable() });
export type OutlinedMean = z.infer<typeof MeanSchema>;

const counts = { visits: z.number().int(), failedVisits: z.number().int(), absentVisits: z.number().int() };

const OutlinedMetricSchema = z.object({
  metric: z.enum(latencyIds),
  scenarios: z.array(
    z.object({
      scenario: z.string(),
      isBaseline: z.boolean(),
      /** Which settings set it apart, as `markTraits` has it. Its colour depends on it. Missing where none do. */
      trait: z.string().optional(),
      /** A User Agent is alone in it, so that it is compared with no baseline. Left out of any other. */
      isSolo: z.boolean().optional(),
      ...counts,
      /** Over the (User Agent, URL) of each Round; null without any value. */
      mean: MeanSchema.nullable(),
      /** 1 − the ratio of geometric means to the baseline, paired by Block, with a t interval; null for the baseline, of a solo, and without pairs. */
      reduction: z
        .object({
          blocks: z.number().int(),
          ratio: z.number(),
          low: z.number().nullable(),
          high: z.number().nullable(),
        })
        .nullable(),
    }),
  ),
  /** Each URL under each Scenario, over all User Agents. */
  cells: z.array(z.object({ scenario: z.string(), url: z.string(), ...counts, mean: MeanSchema.nullable() })),
});
export type OutlinedMetric = z.infer<typeof OutlinedMetricSchema>;

/**
 * The first answer of a report, from sums that are kept during a Run: there at once where the Evaluation Comparison, over millions of Visits, takes seconds.
 * Means and reductions are those of the Evaluation Comparison where every Visit gave a value; where some did not they are near them, for only that corrects for which
 * pages are missing in a Round. Medians, tests and flags are only there.
 */
export const ComparisonOutlineSchema = z.object({
  runId: z.string(),
  runState: RunStateSchema,
  confidence: z.number(),
  primaryMetric: z.enum(latencyIds),
  /** Of the first group, where there are groups. */
  baseline: z.string(),
  groups: z.array(ComparedGroupSchema).optional(),
  metrics: z.array(OutlinedMetricSchema),
});
export type ComparisonOutline = z.infer<typeof ComparisonOutlineSchema>;
