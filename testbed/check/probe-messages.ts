import { z } from 'zod';

/** What a probe process, one at each end of the link, receives. */
export const ProbeOrderSchema = z.discriminatedUnion('kind', [
  /** Sends probes, which the other end returns, and waits for the last. */
  z.strictObject({
    kind: z.literal('probe'),
    to: z.string(),
    count: z.int(),
    intervalMs: z.number(),
    waitMs: z.number(),
  }),
  /** Sends full packets. */
  z.strictObject({
    kind: z.literal('load'),
    to: z.string(),
    kbps: z.number(),
    burstBytes: z.number(),
    totalBytes: z.number(),
  }),
  /** Only reports. */
  z.strictObject({ kind: z.literal('report') }),
  /** Begins to count again. */
  z.strictObject({ kind: z.literal('forget') }),
]);

/** The answer to every order: what came since the last `forget`. */
export const ProbeAnswerSchema = z.object({
  /** Round trips of the probes that came back. */
  roundTripsMs: z.array(z.number()),
  /** The same probes, by the number that the other end gave each when it returned it. */
  returnedNumbers: z.array(z.int()),
  /** Probes of the other end that came here, by the number that it gave them. */
  receivedNumbers: z.array(z.int()),
  /** Full packets that came here, on this process's clock. */
  load: z.object({ packets: z.int(), frameBytes: z.number(), firstMs: z.number(), lastMs: z.number() }).nullable(),
});

export type ProbeOrder = z.infer<typeof ProbeOrderSchema>;
export type ProbeAnswer = z.infer<typeof ProbeAnswerSchema>;

/** The port of both ends of the link from `ground` to `remote`. */
export const probePort = 9;
