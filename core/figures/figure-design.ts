import { z } from 'zod';
import { FigureChoiceSchema } from '../evaluation/figures/figure-choice.ts';
import { latencyIds } from '../metrics/index.ts';

const VariablesSchema = z.record(z.string(), z.union([z.number(), z.string()]));

/** What a Run's figures can be made of: its arms, users and pages, in the order of the Evaluation, and the figures that it declares. */
export const FigureDesignSchema = z.object({
  /** Of every interval, as declared, and at which intervals are computed so that they hold it. */
  confidence: z.number(),
  intervalConfidence: z.number(),
  primaryMetric: z.enum(latencyIds),
  scenarios: z.array(
    z.object({
      name: z.string(),
      isBaseline: z.boolean(),
      group: z.string().nullable(),
      variables: VariablesSchema,
      /** False where it loses objects in other parts of its Visits than its baseline: it then has no reduction. Left out of any other. */
      isComparable: z.literal(false).optional(),
    }),
  ),
  userAgents: z.array(z.object({ name: z.string(), userClass: z.string().nullable() })),
  pages: z.array(z.object({ page: z.string(), label: z.string(), variables: z.record(z.string(), z.number()) })),
  figures: z.array(FigureChoiceSchema),
});
export type FigureDesign = z.infer<typeof FigureDesignSchema>;
