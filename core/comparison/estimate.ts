import { z } from 'zod';

/** A mean with its interval; `halfWidth` is null when there are too few Rounds for one (fewer than 2). */
export const EstimateSchema = z.object({
  /** Rounds that it rests on: the unit of statistical independence. */
  rounds: z.number().int(),
  mean: z.number(),
  standardDeviation: z.number().nullable(),
  halfWidth: z.number().nullable(),
});
export type Estimate = z.infer<typeof EstimateSchema>;
