import { z } from 'zod';
import { LinkProfileSchema } from '#core/evaluation/network/link-profile.ts';

const SourceSchema = z.strictObject({ interface: z.string(), mac: z.string() });

/** What the process of the link is started with, as JSON in its only argument. */
export const LinkProcessOptionsSchema = z.strictObject({
  ground: SourceSchema,
  remote: SourceSchema,
  profile: LinkProfileSchema,
  /** For losses and jitter; drawn when not given. */
  seed: z.int().optional(),
});

export const LinkOrderSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('apply'), profile: LinkProfileSchema }),
  z.strictObject({ kind: z.literal('begin-round') }),
  z.strictObject({ kind: z.literal('read-statistics') }),
]);

const count = z.number();
const UserspaceDirectionSchema = z.object({
  arrivedPackets: count,
  arrivedBytes: count,
  deliveredPackets: count,
  deliveredBytes: count,
  droppedPackets: count,
  lostPackets: count,
  queuedPackets: count,
  queuedBytes: count,
  /** The most that waited since the profile was applied. */
  longestQueueBytes: count,
  capacity: z.object({ assignedBytes: count, usedBytes: count, overMs: count }).nullable(),
  missedPackets: count,
  /** How much later than the model says packets were put out: in the mean, and at the most since the profile was applied. */
  meanLatenessMs: count,
  maxLatenessMs: count,
});

/** The answer to every order. */
export const UserspaceStatisticsSchema = z.object({
  forward: UserspaceDirectionSchema,
  return: UserspaceDirectionSchema,
  /** CPU time of the process. */
  cpuMs: count,
});

export type LinkOrder = z.infer<typeof LinkOrderSchema>;
export type UserspaceStatistics = z.infer<typeof UserspaceStatisticsSchema>;
