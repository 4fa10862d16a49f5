import { z } from 'zod';
import { FailedObjectsRuleSchema } from '../../evaluation/pages/page-load-rules.ts';

/** What a Visit that lost objects failed by, where the Evaluation declares that it did. No Agent reports this code: only the comparison knows what other Visits of the page had. */
export const lostObjectsCode = 'objects-lost';

/** Of the Visits of a Scenario that loaded, without those that were excluded. */
const ScenarioFailedObjectsSchema = z.object({
  scenario: z.string(),
  /** Visits of which it is known how many objects failed, and those of which it is not. */
  visits: z.number().int(),
  unknownVisits: z.number().int(),
  /** Of all these Visits together. */
  failedObjects: z.number().int(),
  /** Of the failed objects, those above the fewest of any Visit of the page, and the Visits that lost any. */
  lostObjects: z.number().int(),
  lossyVisits: z.number().int(),
  /** Part of a Round's Visits that lost objects, Scenario − baseline, paired by Block (Student's t). Null for the baseline, and when no Block has both. */
  difference: z
    .object({
      blocks: z.number().int(),
      value: z.number(),
      low: z.number().nullable(),
      high: z.number().nullable(),
      /** Null with fewer than 3 Blocks. */
      p: z.number().nullable(),
      /** Corrected over the Scenarios (Holm) and for a stop rule, to be held against α. */
      adjustedP: z.number().nullable(),
    })
    .nullable(),
});
export type ScenarioFailedObjects = z.infer<typeof ScenarioFailedObjectsSchema>;

export const FailedObjectsSchema = z.object({
  /** As the Evaluation declares. */
  rule: FailedObjectsRuleSchema,
  /** Of the Visits that count as failed by the rule `fail`; null by the others. */
  failureCode: z.literal(lostObjectsCode).nullable(),
  scenarios: z.array(ScenarioFailedObjectsSchema),
});
export type FailedObjects = z.infer<typeof FailedObjectsSchema>;

/** By Scenario, in how many more of a Round's Visits it loses objects than its baseline does, and how surely. */
export type UnequalLosses = ReadonlyMap<string, { value: number; adjustedP: number }>;

/** The Scenarios that lose objects in more or fewer of their Visits than their baseline, beyond chance at this confidence. */
export function findUnequalLosses({ scenarios }: FailedObjects, confidence: number): UnequalLosses {
  const found = new Map<string, { value: number; adjustedP: number }>();
  for (const { scenario, difference } of scenarios) {
    if (difference === null || difference.adjustedP === null || difference.adjustedP > 1 - confidence) continue;
    found.set(scenario, { value: difference.value, adjustedP: difference.adjustedP });
  }
  return found;
}
