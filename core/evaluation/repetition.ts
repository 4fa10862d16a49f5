import { z } from 'zod';
import { wholeNumber } from './units.ts';

/** How often, and in which order, the Scenarios are measured. */
export const RepetitionSchema = z.strictObject({
  /** `random-blocks`: every Scenario once per Block, in random order. `sequential`: all Rounds of a Scenario, then the next. */
  order: z
    .enum(['random-blocks', 'sequential'], { error: 'must be "random-blocks" or "sequential"' })
    .default('random-blocks'),
  /** Rounds of each Scenario that count. */
  rounds: wholeNumber({ min: 1, max: 1000 }).default(5),
  /** One more Round of each Scenario before the others, flagged and left out of the statistics. */
  warmUp: z.boolean({ error: 'must be true or false' }).default(true),
  /** How often a Round that lost a Pass is tried in all. */
  attempts: wholeNumber({ min: 1, max: 10 }).default(3),
});

export type Repetition = z.infer<typeof RepetitionSchema>;
