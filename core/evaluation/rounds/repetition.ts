import { z } from 'zod';
import { latencyIds } from '../../metrics/index.ts';
import type { WordsOf } from '../setting-words.ts';
import { wholeNumber, durationMs } from '../units.ts';
import type { UserRhythmSettings } from '../users/user-agent.ts';

/** How exact the mean of every (Scenario × User Agent × URL) is to become: half the width of its interval, as a part of the mean or in ms. */
export const StopTargetSchema = z
  .strictObject({
    halfWidthRatio: z
      .number({ error: 'must be a number such as 0.05, for 5 % of the mean' })
      .min(0.001, 'must be at least 0.001')
      .max(1, 'must be at most 1')
      .optional()
      .describe('Half the width of the interval, as a part of the mean: 0.05 is 5 %.'),
    halfWidthMs: durationMs({ min: 0.1, max: 600_000 })
      .optional()
      .describe('Half the width of the interval, in ms, instead of `halfWidthRatio`.'),
  })
  .superRefine(({ halfWidthRatio, halfWidthMs }, context) => {
    if ((halfWidthRatio === undefined) === (halfWidthMs === undefined))
      context.addIssue(
        'must have exactly one of "halfWidthRatio" (such as 0.05, for 5 % of the mean) and "halfWidthMs"',
      );
  });

/**
 * Rounds until the means are exact enough: the stop rule looks after each Block, and at the half-widths only, never at a p-value, which would
 * find differences where there are none (docs/statistics.md). Not fewer than 5 Rounds, for below that intervals that happen to be narrow stop a Run too early.
 */
export const AdaptiveRepetitionSchema = z
  .strictObject({
    target: StopTargetSchema.describe('How narrow the interval of every mean is to become.'),
    metrics: z
      .array(z.enum(latencyIds, { error: 'must be "baseMs", "viewportMs" or "totalMs"' }))
      .min(1, 'must name at least one metric')
      .optional()
      .describe('The metrics whose means count. Without it, the primary metric.'),
    minRounds: wholeNumber({ min: 5, max: 1000 }).default(5).describe('The fewest Rounds of each Scenario.'),
    maxRounds: wholeNumber({ min: 5, max: 1000 }).default(50).describe('The most Rounds of each Scenario.'),
    timeBudgetMs: durationMs({ min: 1000, max: 30 * 86_400_000 })
      .optional()
      .describe('After the first Block, none begins that would end later than this after the start of the Run.'),
  })
  .superRefine(({ minRounds, maxRounds }, context) => {
    if (minRounds > maxRounds)
      context.addIssue({
        code: 'custom',
        path: ['maxRounds'],
        message: `must be at least minRounds, which is ${minRounds}`,
      });
  });

type AdaptiveRepetition = z.infer<typeof AdaptiveRepetitionSchema>;
export type StopTarget = AdaptiveRepetition['target'];

export const stopTargetWords: WordsOf<StopTarget> = {
  halfWidthRatio: { label: 'Target precision (±)', unit: '%', scale: 100 },
  halfWidthMs: { label: 'Target precision (±)', unit: 'ms' },
};

export const adaptiveWords: WordsOf<Omit<AdaptiveRepetition, 'target' | 'metrics'>> = {
  minRounds: { label: 'Rounds, minimum' },
  maxRounds: { label: 'Rounds, maximum' },
  timeBudgetMs: { label: 'Time limit', unit: 'minutes', scale: 1 / 60_000, byDefault: 'no limit' },
};

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

const Time = z.iso.datetime({ offset: true });

/** The most Rounds of each Scenario that are added at once. */
export const mostAddedRounds = 1000;

/** The most times that Rounds are added to a Run. */
export const mostAdditions = 20;

/** Rounds that were added to a Run after it had ended, and so after its result could be seen: a Block each, without the warm-up. */
export const AddedRoundsSchema = z.object({
  firstBlock: z.number().int().min(1),
  /** As requested: fewer were measured where the Run was stopped, and Rounds were added again. */
  blocks: z.number().int().min(1),
  /** Null where it was not kept. */
  requestedBy: z.string().nullable(),
  requestedAt: Time,
  /** Null while they wait for their turn. */
  startedAt: Time.nullable(),
  /** When the Rounds before them ended. */
  endedBefore: Time,
});
export type AddedRounds = z.infer<typeof AddedRoundsSchema>;
