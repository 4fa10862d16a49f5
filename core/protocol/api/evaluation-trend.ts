import { z } from 'zod';
import { RunTrendSchema } from '../../comparison/outcome/summarise-trend.ts';
import { RunLabelsSchema } from './run-labels.ts';

const TrendRunSchema = z.object({
  id: z.string(),
  startedAt: z.iso.datetime({ offset: true }),
  labels: RunLabelsSchema,
  /** The same for Runs of the same settings. */
  settings: z.string(),
  /** Why the webhook does not know that the Run crossed the threshold; null where it does, or need not. */
  webhookProblem: z.string().nullable().default(null),
  /** Null until it is computed, soon after the end of the Run. */
  trend: RunTrendSchema.nullable(),
});
export type TrendRun = z.infer<typeof TrendRunSchema>;

/** The completed Runs of an Evaluation, the oldest first. */
export const EvaluationTrendSchema = z.object({
  runs: z.array(TrendRunSchema),
  /** Whether there are older ones. */
  isCut: z.boolean(),
  /** The least reduction that its Runs should show, as the Evaluation has it now. */
  threshold: z.number().nullable().default(null),
});
export type EvaluationTrend = z.infer<typeof EvaluationTrendSchema>;
