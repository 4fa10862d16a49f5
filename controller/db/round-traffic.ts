import { z } from 'zod';
import { ByteSeriesSchema } from '#core/packets/statistics/byte-series.ts';
import type { RoundTraffic } from '#core/statistics/compare-bandwidth.ts';
import type { Queryable } from './queryable.ts';

const epochMs = z.string().transform((nanoseconds) => Number(nanoseconds) / 1e6);

/** What of a Capture tells what its User Agent received. A Capture without packets, or without directions, does not. */
const CapturedTrafficSchema = z.object({
  start: epochMs,
  end: epochMs,
  received: ByteSeriesSchema,
  clockOffsetMs: z.number(),
  dropped: z.number(),
});

/** What the User Agents received in each completed Round that is no warm-up. */
export async function readRoundTraffic(db: Queryable, runId: string): Promise<RoundTraffic[]> {
  const { rows } = await db.query<{ id: string; scenario: string; user_agent: string; traffic: unknown }>(
    `select round.id, scenario, user_agent, jsonb_build_object(
       'start', outcome->'statistics'->'startEpochNs', 'end', outcome->'statistics'->'endEpochNs',
       'received', outcome->'statistics'->'throughput'->'received', 'clockOffsetMs', outcome->'clockOffsetMs',
       'dropped', (outcome->>'droppedByKernel')::bigint + (outcome->>'droppedByInterface')::bigint) as traffic
     from round join pass on round_id = round.id left join capture on pass_id = pass.id
     where run_id = $1 and round.state = 'completed' and not warm_up
     order by round.index`,
    [runId],
  );
  return [...Map.groupBy(rows, (row) => row.id).values()].map((passes) => {
    const captured = passes.flatMap((pass) => {
      const traffic = CapturedTrafficSchema.safeParse(pass.traffic).data;
      return traffic ? [{ userAgent: pass.user_agent, ...traffic }] : [];
    });
    return {
      scenario: passes[0]!.scenario,
      users: captured.map(({ userAgent, start, end, received, clockOffsetMs }) => ({
        userAgent, received, clockOffsetMs, firstPacketEpochMs: start + clockOffsetMs, lastPacketEpochMs: end + clockOffsetMs,
      })),
      hasDrops: captured.some(({ dropped }) => dropped > 0),
    };
  });
}
