import { z } from 'zod';

const limit = z.number({ error: 'must be a number' });

/** What a finding claims of a quantity. */
export const BoundSchema = z
  .strictObject({
    above: limit.optional().describe('The quantity is more than this.'),
    below: limit.optional().describe('The quantity is less than this.'),
  })
  .refine(({ above, below }) => above !== undefined || below !== undefined, 'must have "above", "below" or both')
  .refine(
    ({ above = -Infinity, below = Infinity }) => above < below,
    'must leave room: "above" must be less than "below"',
  );
export type Bound = z.infer<typeof BoundSchema>;
