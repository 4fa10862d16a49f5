import { z } from 'zod';
import type { PageLoadRules } from '../pages/page-load-rules.ts';
import { RestSchema, type Rest } from './rest.ts';
import { durationMs, wholeNumber } from '../units.ts';

/** When a User Agent loads its pages, and how often. What is left out, `pageLoad` says. */
export const UserRhythmFields = {
  visitsPerUrl: wholeNumber({ min: 1, max: 100 })
    .optional()
    .describe('How often its Pass visits each URL in succession. Without it, as `pageLoad` says.'),
  restMs: RestSchema.optional().describe(
    'The least rest before each of its Visits: a number, or `exponential: MEAN` for think times. Without it, as `pageLoad` says.',
  ),
  startOffsetMs: durationMs({ min: 0, max: 600_000 })
    .optional()
    .describe('How much later than the start of the Round it begins.'),
};

export type UserRhythmSettings = z.infer<z.ZodObject<typeof UserRhythmFields>>;

export interface UserRhythm {
  visitsPerUrl: number;
  rest: Rest;
  startOffsetMs: number;
}

/** The rhythm of one User Agent, with nothing left open. */
export function rhythmOf(
  { pageLoad }: { pageLoad: Pick<PageLoadRules, 'visitsPerUrl' | 'restMs'> },
  { visitsPerUrl, restMs, startOffsetMs }: UserRhythmSettings,
): UserRhythm {
  return {
    visitsPerUrl: visitsPerUrl ?? pageLoad.visitsPerUrl,
    rest: restMs ?? pageLoad.restMs,
    startOffsetMs: startOffsetMs ?? 0,
  };
}
