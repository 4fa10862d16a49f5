import { z } from 'zod';
import { NameSchema } from '../evaluation/name.ts';
import { BoundSchema } from './bound.ts';
import { QuantitySchema } from './quantity.ts';

const text = (maximum: number) =>
  z
    .string({ error: 'must be a text' })
    .min(1, 'must not be empty')
    .max(maximum, `must have at most ${maximum} characters`);

/** One number that a finding predicts. */
export const CheckSchema = z.strictObject({
  parts: z
    .array(NameSchema)
    .min(1, 'must name at least one part')
    .optional()
    .describe('The parts in which it must hold. Without it, all.'),
  quantity: QuantitySchema,
  bound: BoundSchema,
});
export type Check = z.infer<typeof CheckSchema>;

/** A finding of a paper, declared before anything is measured. */
export const ExpectationSchema = z.strictObject({
  source: text(200).describe('Paper, section and figure.'),
  claim: text(600).describe('What it says, in its own words where these are short.'),
  checks: z.array(CheckSchema).min(1, 'must have at least one check'),
  remark: text(600).optional().describe('What to know when reading the result.'),
});
export type Expectation = z.infer<typeof ExpectationSchema>;
