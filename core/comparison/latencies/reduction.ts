import { z } from 'zod';

/**
 * How much less (or, negative, more) time a Scenario takes than the baseline: 1 − ratio of geometric means over the URLs and
 * User Agents, paired by Block, with a t interval of the mean log ratio over Blocks.
 */
export const ReductionSchema = z.object({
  blocks: z.number().int(),
  ratio: z.number(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  /** Two-sided p of the t test that belongs to the interval; null with fewer than 2 Blocks. */
  p: z.number().nullable(),
  /** The same, corrected over its family (Holm) and for a stop rule, to be held against α; null when it is in none. */
  adjustedP: z.number().nullable(),
});
export type Reduction = z.infer<typeof ReductionSchema>;
