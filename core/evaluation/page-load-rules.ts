import type { z } from 'zod';
import { FailedObjectsRuleSchema } from './failed-objects-rule.ts';
import { PageLoadSchema } from './page-load.ts';

/** How every page is loaded, and what its Visits then count for. The latter is the report's affair: no Agent gets it. */
export const PageLoadRulesSchema = PageLoadSchema.extend({
  failedObjects: FailedObjectsRuleSchema.default('count').describe(
    'How a Visit counts that lost objects which its page does not always lose. `count`: as it is. `exclude`: its latencies are left out. `fail`: as a failed Visit.',
  ),
});
export type PageLoadRules = z.infer<typeof PageLoadRulesSchema>;
