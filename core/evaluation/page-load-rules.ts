import type { z } from 'zod';
import { FailedObjectsRuleSchema } from './failed-objects-rule.ts';
import { PageLoadSchema } from './page-load.ts';

/** How every page is loaded, and what its Visits then count for. The latter is the report's affair: no Agent gets it. */
export const PageLoadRulesSchema = PageLoadSchema.extend({
  /** What the comparison makes of a Visit that lost objects which its page does not always lose. */
  failedObjects: FailedObjectsRuleSchema.default('count'),
});
export type PageLoadRules = z.infer<typeof PageLoadRulesSchema>;
