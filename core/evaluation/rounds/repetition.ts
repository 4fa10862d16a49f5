import { z } from 'zod';
import { AdaptiveRepetitionSchema } from './adaptive-repetition.ts';
import type { WordsOf } from '../setting-words.ts';
import { wholeNumber } from '../units.ts';
import type { UserRhythmSettings } from '../users/user-agent.ts';

const fixedRounds = 5;

/** How often, and in which order, the Scenarios are measured. */
export const RepetitionSchema = z
  .strictObject({
    order: z
      .enum(['random-blocks', 'sequential'], { error: 'must be "random-blocks" or "sequential"' })
      .default('random-blocks')
      .describe(
        '`random-blocks`: every Scenario once per Block, in random order. `sequential`: all Rounds of a Scenario, then the next.',
      ),
    rounds: wholeNumber({ min: 1, max: 1000 })
      .optional()
      .describe('Rounds of each Scenario that count. Without it and without `adaptive`, 5.'),
    adaptive: AdaptiveRepetitionSchema.optional().describe(
      'Repeats until the interval of every mean is narrow enough, instead of `rounds`.',
    ),
    barrier: z
      .enum(['pass', 'page'], { error: 'must be "pass" or "page"' })
      .optional()
      .describe(
        'What the User Agents of a Round begin together. `pass`: its start, and then each continues by itself. `page`: each further Visit too, when all have ended the one before and rested. Without it, `pass`.',
      ),
    mayAddRounds: z
      .boolean({ error: 'must be true or false' })
      .optional()
      .describe(
        'Whether Rounds may be added after the result was seen. If true, intervals are a little wider from the start, so that they hold their confidence then too.',
      ),
    warmUp: z
      .boolean({ error: 'must be true or false' })
      .default(true)
      .describe('One more Round of each Scenario first, which does not count.'),
    attempts: wholeNumber({ min: 1, max: 10 })
      .default(3)
      .describe(
        'The most attempts at a Round that loses a Pass. It rests for 20 s before the third and each later one.',
      ),
  })
  .superRefine(({ rounds, adaptive, order }, context) => {
    if (!adaptive) return;
    if (rounds !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['rounds'],
        message: 'cannot be used with "adaptive", which has minRounds and maxRounds: leave one of the two out',
      });
    if (order === 'sequential')
      context.addIssue({
        code: 'custom',
        path: ['order'],
        message:
          'must be "random-blocks" with "adaptive", which stops between Blocks: a sequential Run has no Blocks to stop between',
      });
  })
  // Written down where it was left out, so that a stored Evaluation says how many Rounds it has.
  .overwrite((repetition) =>
    repetition.adaptive || repetition.rounds !== undefined ? repetition : { ...repetition, rounds: fixedRounds },
  );

export type Repetition = z.infer<typeof RepetitionSchema>;

export const repetitionWords: WordsOf<Omit<Repetition, 'adaptive'>> = {
  rounds: { label: 'Rounds of each Scenario', byDefault: String(fixedRounds) },
  order: {
    label: 'Order',
    choices: { 'random-blocks': 'random within each Block', sequential: 'one Scenario after the other' },
  },
  barrier: {
    label: 'User Agents begin together',
    choices: { pass: 'the Round', page: 'every page of the Round' },
    byDefault: 'pass',
  },
  mayAddRounds: { label: 'Rounds may be added after the result', byDefault: 'off' },
  warmUp: { label: 'Warm-up Block first' },
  attempts: { label: 'Attempts per Round' },
};

/** The same with a fixed number of Rounds, as for a pilot. */
export function fixRounds(repetition: Repetition, rounds: number): Repetition {
  const fixed = { ...repetition, rounds };
  delete fixed.adaptive;
  return fixed;
}

/** The fewest and the most Rounds of each Scenario, without the warm-up: the same number unless `adaptive` decides. */
export function roundLimits({ rounds = fixedRounds, adaptive }: Pick<Repetition, 'rounds' | 'adaptive'>): {
  minRounds: number;
  maxRounds: number;
} {
  return adaptive
    ? { minRounds: adaptive.minRounds, maxRounds: adaptive.maxRounds }
    : { minRounds: rounds, maxRounds: rounds };
}

/** Whether the User Agents of a Round begin each Visit together. */
export function isInStep({ barrier }: Pick<Repetition, 'barrier'>): boolean {
  return barrier === 'page';
}

/** Calls `refuse` where User Agents are to be in step and cannot be. Lists of different lengths are no reason: one that has ended its list holds up no other. */
export function refuseUnclearBarrier(
  { repetition, userAgents }: { repetition: Pick<Repetition, 'barrier'>; userAgents: readonly UserRhythmSettings[] },
  refuse: (path: (string | number)[], message: string) => void,
): void {
  if (!isInStep(repetition)) return;
  if (userAgents.length < 2)
    refuse(
      ['repetition', 'barrier'],
      'cannot be "page" with one User Agent, which has no other to wait for: add a User Agent, or leave "barrier" out',
    );
  userAgents.forEach(({ startOffsetMs = 0 }, index) => {
    if (startOffsetMs > 0)
      refuse(
        ['userAgents', index, 'startOffsetMs'],
        'cannot be used with "repetition.barrier: page", by which all User Agents begin each page together: remove one of the two',
      );
  });
}
