import { z } from 'zod';
import { ReductionSchema } from './reduction.ts';

const PageSchema = z.object({ url: z.string(), label: z.string(), reduction: ReductionSchema });

/** A Scenario that is faster than the baseline on some pages and slower on others. A page here is a URL, over all User Agents. */
export const ReversalSchema = z.object({
  /** URLs that have a p-value. */
  pages: z.number().int(),
  /** Those of them whose corrected p is at most α, by the sign of their reduction. Both are above 0. */
  faster: z.number().int(),
  slower: z.number().int(),
  /** How many p-values of pages were corrected together (Holm): every URL of every Scenario. */
  comparisons: z.number().int(),
  /** Of the faster pages the one with the largest reduction, of the slower ones the one with the smallest. */
  fastest: PageSchema,
  slowest: PageSchema,
});
export type Reversal = z.infer<typeof ReversalSchema>;
