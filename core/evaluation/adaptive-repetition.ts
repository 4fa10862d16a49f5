import { z } from 'zod';
import { latencyIds } from '../metrics/catalogue.ts';
import { durationMs, wholeNumber } from './units.ts';

/** How exact the mean of every (Scenario × User Agent × URL) is to become: half the width of its interval, as a part of the mean or in ms. */
const TargetSchema = z
  .strictObject({
    halfWidthRatio: z.number({ error: 'must be a number such as 0.05, for 5 % of the mean' }).min(0.001, 'must be at least 0.001').max(1, 'must be at most 1').optional(),
    halfWidthMs: durationMs({ min: 0.1, max: 600_000 }).optional(),
  })
  .superRefine(({ halfWidthRatio, halfWidthMs }, context) => {
    if ((halfWidthRatio === undefined) === (halfWidthMs === undefined)) context.addIssue('must have exactly one of "halfWidthRatio" (such as 0.05, for 5 % of the mean) and "halfWidthMs"');
  });

/**
 * Rounds until the means are exact enough: the stop rule looks after each Block, and at the half-widths only, never at a p-value, which would
 * find differences where there are none (docs/statistics.md). Not fewer than 5 Rounds, for below that intervals that happen to be narrow stop a Run too early.
 */
export const AdaptiveRepetitionSchema = z
  .strictObject({
    target: TargetSchema,
    /** The metrics whose means it looks at; the primary metric when it says nothing. */
    metrics: z.array(z.enum(latencyIds, { error: 'must be "baseMs", "viewportMs" or "totalMs"' })).min(1, 'must name at least one metric').optional(),
    minRounds: wholeNumber({ min: 5, max: 1000 }).default(5),
    maxRounds: wholeNumber({ min: 5, max: 1000 }).default(50),
    /** No Block begins that would, at the pace so far, end later than this after the start of the Run. */
    timeBudgetMs: durationMs({ min: 1000, max: 30 * 86_400_000 }).optional(),
  })
  .superRefine(({ minRounds, maxRounds }, context) => {
    if (minRounds > maxRounds) context.addIssue({ code: 'custom', path: ['maxRounds'], message: `must be at least minRounds, which is ${minRounds}` });
  });

export type AdaptiveRepetition = z.infer<typeof AdaptiveRepetitionSchema>;
export type StopTarget = AdaptiveRepetition['target'];
