import { z } from 'zod';

/** A study from which an Evaluation can be started. */
export const StudySummarySchema = z.object({
  name: z.string(),
  title: z.string(),
  summary: z.string(),
  papers: z.array(z.object({ name: z.string(), figures: z.string() })),
  /** What keeps the Controller's machine from running it as a whole, in a few words; null where nothing does. */
  obstacle: z.string().nullable(),
  parts: z.array(
    z.object({
      name: z.string(),
      minutes: z.number(),
      /** The Evaluation as YAML, which can be changed. */
      evaluation: z.string(),
    }),
  ),
});
export type StudySummary = z.infer<typeof StudySummarySchema>;
