import { z } from 'zod';

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
