import { z } from 'zod';
import { causeIds } from '../../causes/causes.ts';
import { latencyIds } from '../../metrics/index.ts';

const BoundedSchema = z.object({ value: z.number(), low: z.number().nullable(), high: z.number().nullable() });

/** One cause of a difference: Scenario − baseline in ms. */
export const PartDifferenceSchema = BoundedSchema.extend({
  cause: z.enum(causeIds),
  /** Its interval, which holds for all causes together, does not include 0. */
  isShown: z.boolean(),
});
export type PartDifference = z.infer<typeof PartDifferenceSchema>;

/** Why a Scenario takes longer or shorter than its baseline, by arithmetic means over the Blocks that have both. The parts sum to the total. */
export const CausesDifferenceSchema = z.object({
  blocks: z.number().int(),
  /** With the interval of a single mean. */
  total: BoundedSchema,
  /** In the order of causes. */
  parts: z.array(PartDifferenceSchema),
});
export type CausesDifference = z.infer<typeof CausesDifferenceSchema>;

/** A page of one User Agent in one Block, under the Scenario and its baseline. */
const ExampleSchema = z.object({
  cause: z.enum(causeIds),
  url: z.string(),
  userAgent: z.string(),
  block: z.number().int(),
});

export const ScenarioCausesSchema = z.object({
  scenario: z.string(),
  isBaseline: z.boolean(),
  /** Mean ms of each cause, in the order of `causeIds`: over the pages that every Scenario has, and over Blocks. Null where nothing was split. */
  parts: z.array(z.number()).nullable(),
  /** Null of a baseline, and where the Scenario cannot be compared with it. */
  difference: CausesDifferenceSchema.nullable(),
  /** The same of single pages, and of single User Agents; empty where there is only one, and where there are more than a document should have. */
  byPage: z.array(CausesDifferenceSchema.extend({ url: z.string(), label: z.string() })),
  byUserAgent: z.array(CausesDifferenceSchema.extend({ userAgent: z.string() })),
  /** For each part that is shown: the Visits whose difference in it is nearest to the mean one. */
  examples: z.array(ExampleSchema),
});
export type ScenarioCauses = z.infer<typeof ScenarioCausesSchema>;

/** What a latency is made of under each Scenario, and what makes the difference. */
export const CausesComparisonSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('split'),
    metric: z.enum(latencyIds),
    /** Of the intervals of parts: each part by itself has a higher one, so that all hold together. */
    confidence: z.number(),
    scenarios: z.array(ScenarioCausesSchema),
    /** One for each Scenario that has a difference. */
    sentences: z.array(z.string()),
    /** Visits with this latency that have no split, as those without a Snapshot. They are in no mean here. */
    visitsWithout: z.number().int(),
  }),
  z.object({ kind: z.literal('absent'), reason: z.string() }),
]);
export type CausesComparison = z.infer<typeof CausesComparisonSchema>;
