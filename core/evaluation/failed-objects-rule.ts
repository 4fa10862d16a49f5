import { z } from 'zod';

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
