import { z } from 'zod';

const Time = z.iso.datetime({ offset: true });
const ReasonSchema = z
  .string({ error: 'must be a text that says why' })
  .trim()
  .min(1, 'must say why')
  .max(2000, 'must have at most 2000 characters');

/** Leaves Visits out of the statistics of their Run. They stay stored and are counted as excluded. The report lists them. */
export const ExclusionRequestSchema = z.strictObject({
  visitIds: z
    .array(z.uuid('must be the id of a Visit'))
    .min(1, 'must name at least one Visit')
    .max(1000, 'must name at most 1000 Visits'),
  reason: ReasonSchema,
});
export const ReversalRequestSchema = z.object({ reason: ReasonSchema });

/** Why one Visit is left out, or was for a while. Nothing of this is ever deleted. */
export const ExclusionSchema = z.object({
  id: z.string(),
  visitId: z.uuid(),
  block: z.number().int(),
  scenario: z.string(),
  userAgent: z.string(),
  url: z.string(),
  reason: z.string(),
  /** The evaluator's name, or that of the API token. */
  excludedBy: z.string(),
  excludedAt: Time,
  /** Null while it is in force. */
  reversal: z.object({ reason: z.string(), reversedBy: z.string(), reversedAt: Time }).nullable(),
});
export type Exclusion = z.infer<typeof ExclusionSchema>;
