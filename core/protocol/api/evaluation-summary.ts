import { z } from 'zod';
import { AnnotationFields } from './annotation.ts';
import { RunSummarySchema } from './run-summary.ts';

const Time = z.iso.datetime({ offset: true });

/** An Evaluation as lists show it. */
export const EvaluationSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  scenarios: z.array(
    z.object({
      name: z.string(),
      baseline: z.boolean(),
      group: z.string().nullish(),
      /** Which settings set it apart, as `markTraits` has it. */
      trait: z.string().optional(),
    }),
  ),
  userAgents: z.array(z.string()),
  urlCount: z.number().int(),
  updatedAt: Time,
  lastRun: RunSummarySchema.nullable(),
  /** The newest completed Run that has an outcome. */
  lastResult: RunSummarySchema.nullable().default(null),
  ...AnnotationFields,
});
export type EvaluationSummary = z.infer<typeof EvaluationSummarySchema>;
