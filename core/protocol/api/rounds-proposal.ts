import { z } from 'zod';

/** How many Rounds to add to a Run, and what that means for it. */
export const RoundsProposalSchema = z.object({
  /** Why none can be added; null when they can. */
  refusal: z.string().nullable(),
  /** That it has now. */
  blocks: z.number().int(),
  /** Rounds of each Scenario. */
  rounds: z.number().int().min(1),
  /** Whether so many are expected to be enough for the goal; false where it is out of reach, or nothing is known of the variation. */
  isEnough: z.boolean(),
  /** The headline, where it is decided without more Rounds; null where it is not, or not known yet. */
  decided: z.string().nullable(),
  /** How narrow the intervals of the means, or of the reductions, are to become. */
  goal: z.discriminatedUnion('of', [
    z.object({ of: z.literal('mean-ratio'), halfWidth: z.number() }),
    z.object({ of: z.literal('mean-ms'), halfWidth: z.number() }),
    z.object({ of: z.literal('reduction'), halfWidth: z.number() }),
  ]),
  /** What a Block took in the mean; null where that is not known. */
  blockMs: z.number().nullable(),
  /** A warm-up goes before the added Rounds. */
  warmUp: z.boolean(),
  /** As declared, of the intervals now, and of those with the proposed Rounds. */
  confidence: z.number(),
  confidenceNow: z.number(),
  confidenceThen: z.number(),
  /** Whether the Evaluation declared before the Run that Rounds may be added. */
  isDeclared: z.boolean(),
  /** In which the hosts, their engines and HTTP-AE differ from when the Run ended, a sentence each. */
  changes: z.array(z.string()),
});
export type RoundsProposal = z.infer<typeof RoundsProposalSchema>;
