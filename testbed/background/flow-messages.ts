import { z } from 'zod';
import { BackgroundLoadSchema } from '#core/evaluation/scenarios/background-load.ts';

/** Below those that kernels give to clients, and those by which the packets of isolated User Agents are known. */
export const flowPorts = { 'bulk-download': 7001, 'bulk-upload': 7002, video: 7003 } as const;
export type FlowKind = keyof typeof flowPorts;

/** UDP, of both ends. */
export const pingPort = 7010;
/** Of the first user; the next ones have the next ports. */
export const voicePort = 7100;

/** Each bin is wider than the one before by this ratio: quantiles are known to a fifth of a percent, however many values there are. */
const ratio = 1.002;
const leastMs = 0.01;

export const DelaySummarySchema = z.object({ p50Ms: z.number(), p95Ms: z.number() });
export type DelaySummary = z.infer<typeof DelaySummarySchema>;

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

/** Counts delays in bins of equal ratio, so that hours of packets take no more memory than a minute. */
export class DelayHistogram {
  readonly #bins = new Map<number, number>();
  #count = 0;

  add(delayMs: number): void {
    const bin = Math.round(Math.log(Math.max(leastMs, delayMs) / leastMs) / Math.log(ratio));
    this.#bins.set(bin, (this.#bins.get(bin) ?? 0) + 1);
    this.#count += 1;
  }

  /** Null when there is none. */
  summarize(): DelaySummary | null {
    if (this.#count === 0) return null;
    return { p50Ms: this.#quantile(0.5), p95Ms: this.#quantile(0.95) };
  }

  #quantile(probability: number): number {
    const least = Math.ceil(probability * this.#count);
    let cumulative = 0;
    for (const bin of [...this.#bins.keys()].sort((a, b) => a - b)) {
      cumulative += this.#bins.get(bin)!;
      if (cumulative >= least) return leastMs * ratio ** bin;
    }
    throw new Error('The bins hold fewer values than were added');
  }
}
