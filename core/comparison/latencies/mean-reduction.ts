import { z } from 'zod';

/**
 * How much less (or, negative, more) time a Scenario takes than the baseline by arithmetic means, as papers usually print it: 1 − the ratio of the means over URLs, User
 * Agents and Blocks that both have, with Fieller's interval of pairs of Blocks. A slow page weighs more than a fast one. It tests nothing: the verdict is that of the reduction.
 */
export const MeanReductionSchema = z.object({
  blocks: z.number().int(),
  ratio: z.number(),
  /** Null where there is no interval: with fewer than 2 Blocks, and where the baseline's mean is not distinct from 0. */
  low: z.number().nullable(),
  high: z.number().nullable(),
});
export type MeanReduction = z.infer<typeof MeanReductionSchema>;
