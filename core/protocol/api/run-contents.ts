import { z } from 'zod';

/** Whose Passes a Run comes with: `current` only has those of the Round that is under way, or was tried last. */
export const ShownPassesSchema = z.enum(['all', 'current'], { error: 'must be "all" or "current"' });
export type ShownPasses = z.infer<typeof ShownPassesSchema>;

/** What would be lost with a Run, or with an Evaluation and its Runs. */
export const RunContentsSchema = z.object({
  runs: z.int(),
  rounds: z.int(),
  visits: z.int(),
  traces: z.int(),
  traceBytes: z.number(),
  /** Links to their Comparisons that work. */
  shares: z.int(),
});
export type RunContents = z.infer<typeof RunContentsSchema>;
