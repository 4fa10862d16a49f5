import { LatencyOriginSchema } from '../metrics/latency-origin.ts';
import { measureIds } from '../metrics/measures.ts';
import { z } from 'zod';
import { FigureChoiceSchema } from '../evaluation/figures/figure-choice.ts';
import { latencyIds } from '../metrics/index.ts';

const VariablesSchema = z.record(z.string(), z.union([z.number(), z.string()]));

/** What a Run's figures can be made of: its arms, users and pages, in the order of the Evaluation, and the figures that it declares. */
const FigureDesignSchema = z.object({
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
      /** Those that load pages under it. Missing where all do. */
      userAgents: z.array(z.string()).optional(),
      /** Which settings set it apart, as `markTraits` has it. Its colour depends on it. Missing where none do. */
      trait: z.string().optional(),
      /** False where it loses objects in other parts of its Visits than its baseline: it then has no reduction. Left out of any other. */
      isComparable: z.literal(false).optional(),
    }),
  ),
  userAgents: z.array(z.object({ name: z.string(), userClass: z.string().nullable() })),
  pages: z.array(z.object({ page: z.string(), label: z.string(), variables: z.record(z.string(), z.number()) })),
  figures: z.array(FigureChoiceSchema),
});
export type FigureDesign = z.infer<typeof FigureDesignSchema>;

const index = z.int().nonnegative();

/** Values of the Visits of a Run that count, in columns: entry i of each list belongs to Visit i. */
export const MeasurementsSchema = z.object({
  design: FigureDesignSchema,
  /** From when latencies count; missing where it is navigation start. */
  countedFrom: LatencyOriginSchema.optional(),
  /** Measures of which the Run has any value. */
  available: z.array(z.enum(measureIds)),
  visits: z.object({
    block: z.array(z.int()),
    /** Places in the lists of the design. */
    scenario: z.array(index),
    userAgent: z.array(index),
    page: z.array(index),
  }),
  /** Null where a Visit has none. */
  values: z.partialRecord(z.enum(measureIds), z.array(z.number().nullable())),
  /** Why values are left out, where the Run has too many; null where none are. */
  leftOut: z.string().nullable(),
});
export type Measurements = z.infer<typeof MeasurementsSchema>;

/** Numbers in one answer: Visits times measures. */
export const mostMeasurements = 1_000_000;
