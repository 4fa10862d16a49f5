import { z } from 'zod';
import { PageLoadSchema, pageLoadWords } from './page-load.ts';
import { RestSchema } from '../users/rest.ts';

/** What the comparison makes of a Visit that lost objects which its page does not always lose. */
export const failedObjectsRules = {
  count: 'its latency counts as it is',
  exclude: 'its latency is left out',
  fail: 'it counts as a failed Visit',
} as const;
export type FailedObjectsRule = keyof typeof failedObjectsRules;

export const FailedObjectsRuleSchema = z.enum(
  Object.keys(failedObjectsRules) as [FailedObjectsRule, ...FailedObjectsRule[]],
  { error: 'must be "count", "exclude" or "fail"' },
);

/** How every page is loaded, and what its Visits then count for. The latter is the report's affair: no Agent gets it. */
export const PageLoadRulesSchema = PageLoadSchema.extend({
  restMs: RestSchema.default(400).describe(
    'The least rest before each Visit: a number, or `exponential: MEAN` for think times. A cold Pass rests longer, up to 3 s, where connections take longer to close (1.25 round trips).',
  ),
  failedObjects: FailedObjectsRuleSchema.default('count').describe(
    'How a Visit counts that lost objects which its page does not always lose. `count`: as it is. `exclude`: its latencies are left out. `fail`: as a failed Visit.',
  ),
});
export type PageLoadRules = z.infer<typeof PageLoadRulesSchema>;

export const pageLoadRulesWords = {
  ...pageLoadWords,
  failedObjects: { label: 'Visits that lost objects', choices: failedObjectsRules },
};
