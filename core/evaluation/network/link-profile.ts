import { z } from 'zod';
import { peakKbpsOnDemand, RateOnDemandSchema } from './link-profile-demand.ts';
import { RateTraceSchema } from './link-profile-trace.ts';
import { durationMs, wholeNumber } from '../units.ts';

/** Longer ones are outages, which a trace of the rate has. */
const longestMeanBurstPackets = 100;

/** The largest frame: 1500 bytes of IP and the Ethernet header. Frames count whole in rates and queues, but for preamble and checksum. */
export const largestFrameBytes = 1514;

export const RateKbpsSchema = z
  .number({ error: (issue) => `must be a number of kilobits per second, not ${JSON.stringify(issue.input)}` })
  .min(0.1, 'must be at least 0.1: nothing crosses a link without a rate')
  .max(10_000_000, 'must be at most 10000000 (10 Gb/s)');

export const LossRatioSchema = z
  .number({
    error: (issue) => `must be a number from 0 to 1, not ${JSON.stringify(issue.input)}${fromPercent(issue.input)}`,
  })
  .min(0, 'must be at least 0')
  .max(1, {
    error: (issue) =>
      `must be at most 1, as it is a ratio${typeof issue.input === 'number' ? ` (for ${issue.input} % write ${issue.input / 100})` : ''}`,
  });

export const LossBurstPacketsSchema = z
  .number({ error: 'must be a number of packets, such as 4' })
  .min(1, 'must be at least 1 packet')
  .max(
    longestMeanBurstPackets,
    `must be at most ${longestMeanBurstPackets} packets: for longer outages use rateTrace with a rate of 0`,
  );

export const DelayMsSchema = durationMs({ min: 0, max: 60_000 });
export const mostQueueBytes = 2_000_000_000;
export const QueueBytesSchema = wholeNumber({ min: 0, max: mostQueueBytes }).refine(
  (bytes) => bytes >= largestFrameBytes,
  {
    error: `must be at least ${largestFrameBytes}, the size of a full packet`,
  },
);

const LinkRateSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('unlimited') }),
  z.strictObject({ kind: z.literal('constant'), kbps: RateKbpsSchema }),
  z.strictObject({ kind: z.literal('trace'), trace: RateTraceSchema }),
  z.strictObject({ kind: z.literal('on-demand'), demand: RateOnDemandSchema, grantDelayMs: z.number() }),
]);

export const queueKinds = ['drop-tail', 'codel', 'fq-codel'] as const;
/** Which delay a managed queue aims at, and how long it lets it be exceeded (RFC 8289, 4.2 and 4.3). */
export const QueueTargetMsSchema = durationMs({ min: 0.1, max: 10_000 });
export const QueueIntervalMsSchema = durationMs({ min: 1, max: 60_000 });

/** One direction of the link, in the order that a packet passes it. */
export const LinkDirectionSchema = z.strictObject({
  /** What may wait behind the packet that is being sent. A packet that finds less room is dropped. */
  queueBytes: QueueBytesSchema,
  /** How the queue is managed. Left out: drop-tail, first in, first out. */
  queue: z
    .strictObject({
      kind: z.enum(['codel', 'fq-codel']),
      targetMs: QueueTargetMsSchema,
      intervalMs: QueueIntervalMsSchema,
    })
    .optional(),
  rate: LinkRateSchema,
  /** The probability that a packet is lost after it has taken its share of the rate. */
  lossRatio: LossRatioSchema,
  /** The mean number of packets that are lost in a row; null where each loss is independent of the others. */
  lossBurstPackets: LossBurstPacketsSchema.nullable(),
  /** One way, from the last bit sent. */
  delayMs: DelayMsSchema,
  /**
   * Each packet's delay is drawn from `delayMs ± jitterMs`, uniform. A packet never overtakes another but waits for it, so in
   * dense traffic the delay tends to `delayMs + jitterMs`.
   */
  jitterMs: DelayMsSchema,
});

/** What an emulated link does to packets. `forward` is from ground to remote, where the users are; `return` the other way. */
export const LinkProfileSchema = z.strictObject({
  name: z.string(),
  forward: LinkDirectionSchema,
  return: LinkDirectionSchema,
});

export type LinkRate = z.infer<typeof LinkRateSchema>;
export type LinkDirection = z.infer<typeof LinkDirectionSchema>;
export type LinkProfile = z.infer<typeof LinkProfileSchema>;

/** The most that a rate ever is, in kbps; Infinity when it is unlimited. */
export function peakKbps(rate: LinkRate): number {
  switch (rate.kind) {
    case 'unlimited':
      return Infinity;
    case 'constant':
      return rate.kbps;
    case 'trace':
      return Math.max(...rate.trace.steps.map(([, kbps]) => kbps));
    case 'on-demand':
      return peakKbpsOnDemand(rate.demand);
  }
}

/** Whether a direction follows a trace or demand. */
export function hasVaryingRate(profile: LinkProfile): boolean {
  return [profile.forward, profile.return].some(({ rate }) => rate.kind === 'trace' || rate.kind === 'on-demand');
}

/** netem has 31 bits for the nanoseconds of a jitter, and cuts a larger one (`netem_change` in sch_netem.c). */
const mostNetemJitterMs = 2147;

/** Whether only the userspace link can be this one. */
export function needsUserspace(profile: LinkProfile): boolean {
  const directions = [profile.forward, profile.return];
  return (
    hasVaryingRate(profile) ||
    directions.some(({ queue, jitterMs }) => queue !== undefined || jitterMs > mostNetemJitterMs)
  );
}

function fromPercent(input: unknown): string {
  const match = typeof input === 'string' ? /^\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(input) : null;
  return match ? ` (write ${Number(match[1]) / 100})` : '';
}

/** The mean number of packets lost in a row where each loss is independent. Bursts are at least that long. */
export function independentBurstPackets(lossRatio: number): number {
  return 1 / (1 - lossRatio);
}

/**
 * The chances, at each packet, that a burst begins after one that was not lost, and that it ends after one that was. Their chain loses `lossRatio` of all
 * packets, and `burstPackets` in a row in the mean. Where that is the mean of independent losses, the chain is independent.
 */
export function burstChances(lossRatio: number, burstPackets: number): { begin: number; end: number } {
  const end = 1 / burstPackets;
  return { begin: (end * lossRatio) / (1 - lossRatio), end };
}
