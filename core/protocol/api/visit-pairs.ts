import { z } from 'zod';

/** A Visit of a pair, with its latency in ms. */
const PairedVisitSchema = z.object({ id: z.uuid(), valueMs: z.number() });

/** Two Visits of one page by one User Agent, in the same Block under two Scenarios. */
export const VisitPairSchema = z.object({
  block: z.number().int(),
  userAgent: z.string(),
  repetition: z.number().int(),
  first: PairedVisitSchema,
  second: PairedVisitSchema,
});
export type VisitPair = z.infer<typeof VisitPairSchema>;

/** The pairs of a page under two Scenarios, in the order of Blocks, and the median Visits. */
export const VisitPairsSchema = z.object({
  pairs: z.array(VisitPairSchema),
  /** Whether there are more pairs than these. */
  hasMore: z.boolean(),
  /** Under each Scenario the Visit of the median latency, of two the shorter; not of one Block, as a rule. Null where a Scenario has no Visit with this latency. */
  median: z.object({ first: PairedVisitSchema, second: PairedVisitSchema }).nullable(),
  /** Two Visits that are both filmed: of the first Block that counts and has such, else of the warm-up Block. Null where there are none. */
  filmed: z.object({ first: z.uuid(), second: z.uuid() }).nullable().default(null),
});
export type VisitPairs = z.infer<typeof VisitPairsSchema>;
