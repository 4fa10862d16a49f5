import { z } from 'zod';
import { latencyIds } from '../../metrics/index.ts';

/** How many Rounds and how long a Run is going to take, by an earlier one; or that it is unknown. */
export const EstimateAnswerSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('estimated'),
    /** Of each Scenario, without the warm-up. */
    rounds: z.number().int(),
    durationMs: z.number(),
    /** What the Run is expected to end for. */
    endsBy: z.enum(['fixed', 'target', 'max-rounds', 'time-budget']),
    /** The cell that takes the most Rounds; null with a fixed number of Rounds, or when no cell has a spread to go by. */
    slowest: z
      .object({
        metric: z.enum(latencyIds),
        scenario: z.string(),
        userAgent: z.string(),
        url: z.string(),
        rounds: z.number().int(),
      })
      .nullable(),
    /** Cells that the earlier Run did not measure, so that they are expected to need the most Rounds there can be. */
    unknownCells: z.number().int(),
    basis: z.object({
      runId: z.string(),
      /** Blocks of it that count. */
      blocks: z.number().int(),
      /** What a Block took, scaled to the number of Scenarios. */
      blockMs: z.number(),
      /** Whether it measured just this Evaluation, apart from how often. */
      isSameConfiguration: z.boolean(),
    }),
  }),
  z.object({
    kind: z.literal('needs-pilot'),
    reason: z.string(),
    /** What the rests between Visits and the quiet awaited after them come to: it takes longer, as pages take time to load. */
    leastDurationMs: z.number(),
  }),
]);
export type EstimateAnswer = z.infer<typeof EstimateAnswerSchema>;
