import { z } from 'zod';
import { EstimateSchema } from '../estimate.ts';

/** A value with its interval; `low` and `high` are null where there is none. */
const BoundedSchema = z.object({ value: z.number(), low: z.number().nullable(), high: z.number().nullable() });

/** A Scenario against the baseline of its group, over the Blocks that have both. */
const CountContrastSchema = z.object({
  blocks: z.number().int(),
  /** Scenario − baseline per Round: the mean over Blocks, with its t interval. */
  difference: BoundedSchema,
  /** Scenario over baseline: the ratio of the means, with Fieller's interval of pairs of Blocks. Null where the baseline is 0. */
  ratio: BoundedSchema.nullable(),
});
export type CountContrast = z.infer<typeof CountContrastSchema>;

/** In what a figure of Rounds is given; a share is between 0 and 1, and a score has no unit. */
export type CountedUnit = 'count' | 'bytes' | 'share' | 'ms' | 'score';

/** A figure that is counted per Round, for people. */
export interface CountedFigure {
  label: string;
  unit: CountedUnit;
  definition: string;
}

/** What was counted in each Round of a Scenario: its mean, or why there is none. */
export const CountedValueSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('measured'),
    /** Mean per Round over Rounds. */
    estimate: EstimateSchema,
    /** Null of a baseline, and where no Block has both. */
    contrast: CountContrastSchema.nullable(),
  }),
  z.object({ kind: z.literal('absent'), reason: z.string() }),
]);
export type CountedValue = z.infer<typeof CountedValueSchema>;

/** The value of each Block that has one, or why there is none. */
export type ValuesByBlock = { kind: 'known'; byBlock: Map<number, number> } | { kind: 'absent'; reason: string };
