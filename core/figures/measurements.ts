import { z } from 'zod';
import { LatencyOriginSchema } from '../metrics/latency-origin.ts';
import { measureIds } from '../metrics/measures.ts';
import { FigureDesignSchema } from './figure-design.ts';

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
