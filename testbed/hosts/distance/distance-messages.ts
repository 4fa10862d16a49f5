import { z } from 'zod';
import { mostHosts } from '#core/site/site.ts';
import { LinkDirectionSchema } from '#core/evaluation/network/link-profile.ts';

const SourceSchema = z.strictObject({ interface: z.string(), mac: z.string() });

/** What the process of the distances is started with, as JSON in its only argument: the sides of `ground` and of `hosts`. */
export const DistanceOptionsSchema = z.strictObject({ ground: SourceSchema, hosts: SourceSchema });
export type DistanceOptions = z.infer<typeof DistanceOptionsSchema>;

/** Of one host, the same in both directions. */
const DistanceSchema = z.strictObject({ address: z.ipv4(), direction: LinkDirectionSchema });
export type Distance = z.infer<typeof DistanceSchema>;

export const DistanceOrderSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('apply'), distances: z.array(DistanceSchema).max(mostHosts) }),
  z.strictObject({ kind: z.literal('read-statistics') }),
]);
export type DistanceOrder = z.infer<typeof DistanceOrderSchema>;

const count = z.number();
const DirectionCountsSchema = z.object({
  arrivedPackets: count,
  deliveredPackets: count,
  droppedPackets: count,
  lostPackets: count,
});

/** The answer to every order: what happened to the packets of each host that has a distance, to the users (`forward`) and from them. */
export const DistanceStatisticsSchema = z.array(
  DistanceSchema.extend({ forward: DirectionCountsSchema, return: DirectionCountsSchema }),
);
export type DistanceStatistics = z.infer<typeof DistanceStatisticsSchema>;
