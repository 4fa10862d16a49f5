import { z } from 'zod';

/** A value with its interval; `low` and `high` are null where there is none. */
const BoundedSchema = z.object({ value: z.number(), low: z.number().nullable(), high: z.number().nullable() });

/** A Scenario against the baseline of its group, over the Blocks that have both. */
export const CountContrastSchema = z.object({
  blocks: z.number().int(),
  /** Scenario − baseline per Round: the mean over Blocks, with its t interval. */
  difference: BoundedSchema,
  /** Scenario over baseline: the ratio of the means, with Fieller's interval of pairs of Blocks. Null where the baseline is 0. */
  ratio: BoundedSchema.nullable(),
});
export type CountContrast = z.infer<typeof CountContrastSchema>;
