import { z } from 'zod';
import { BackgroundLoadSchema } from '#core/evaluation/scenarios/background-load.ts';
import { DelaySummarySchema } from './delay-histogram.ts';

/** What the process of TCP flows at either end is started with, as JSON in its only argument. */
export const FlowProcessOptionsSchema = z.strictObject({
  end: z.enum(['ground', 'remote']),
  /** Where `ground` listens. */
  groundAddress: z.string(),
  loads: BackgroundLoadSchema,
});

export const BackgroundOrderSchema = z.strictObject({
  /** Begins to send; ends, and resets what is open; reports what was counted. */
  kind: z.enum(['begin', 'stop', 'report']),
});
export type BackgroundOrder = z.infer<typeof BackgroundOrderSchema>;

const count = z.number().nonnegative();

/** What one end counted of a kind of flows. */
export const FlowCountsSchema = z.object({
  kind: z.enum(['bulk-download', 'bulk-upload', 'video']),
  receivedBytes: count,
  overMs: count,
  /** By the kernel, of the connections that this end sends by. */
  sentBytes: count,
  retransmittedBytes: count,
  roundTrip: DelaySummarySchema.nullable(),
  /** Of players, which are at `remote`. */
  video: z
    .object({
      segments: count,
      /** Sum over segments. */
      rateKbps: count,
      stalledMs: count,
      segmentTime: DelaySummarySchema.nullable(),
    })
    .nullable(),
});
export type FlowCounts = z.infer<typeof FlowCountsSchema>;
export const FlowAnswerSchema = z.array(FlowCountsSchema);
