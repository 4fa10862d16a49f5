import { z } from 'zod';
import { latencyIds } from '../../metrics/index.ts';
import type { WordsOf } from '../setting-words.ts';
import { durationMs, wholeNumber } from '../units.ts';

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
      .describe('No Block begins that would end later than this after the start of the Run.'),
  })
  .superRefine(({ minRounds, maxRounds }, context) => {
    if (minRounds > maxRounds)
      context.addIssue({
        code: 'custom',
        path: ['maxRounds'],
        message: `must be at least minRounds, which is ${minRounds}`,
      });
  });

export type AdaptiveRepetition = z.infer<typeof AdaptiveRepetitionSchema>;
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
