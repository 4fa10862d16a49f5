import { z } from 'zod';
import { EstimateSchema } from '../estimate.ts';
import { ReductionSchema } from '../latencies/reduction.ts';

/**
 * How a Scenario treats its User Agents. A relative latency is that of a User Agent in a Round over that of all in the same Round, as a geometric mean over the URLs that
 * at least two of them loaded: 1 is like the others, 1.1 is 10 % more.
 */
export const ScenarioUsersSchema = z.object({
  scenario: z.string(),
  users: z.array(
    z.object({
      userAgent: z.string(),
      latencyMs: EstimateSchema.nullable(),
      relativeLatency: EstimateSchema.nullable(),
    }),
  ),
  /** Largest over smallest relative latency of a Round; 1 when all are served alike. */
  maxMinRatio: EstimateSchema.nullable(),
  /** Relative latency by order of the start: the first entry is that of the User Agent whose first request was sent first in each Round. Null where starts are not known, and where the Evaluation lets some begin later. */
  byStartOrder: z.array(EstimateSchema.nullable()).nullable(),
  /** How much less time the first to start takes than the average of its Round, by the logarithms of their latencies. p is corrected over the Scenarios. Null where `byStartOrder` is. */
  firstToStart: ReductionSchema.nullable(),
  /** Between the first and the last start of a Round, each less its intended offset. Null where not known. */
  startSkewMs: z.object({ median: z.number(), largest: z.number() }).nullable(),
});
export type ScenarioUsers = z.infer<typeof ScenarioUsersSchema>;

export const UserComparisonSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('measured'), scenarios: z.array(ScenarioUsersSchema) }),
  z.object({ kind: z.literal('absent'), reason: z.string() }),
]);
export type UserComparison = z.infer<typeof UserComparisonSchema>;
