import { describeRoundTraffic } from '#core/record/round-traffic.ts';
import type { RoundTraffic } from '#core/record/round-traffic.ts';
import type { Queryable } from '../connection/queryable.ts';

/** What the User Agents received in each completed Round that is no warm-up. Of each Capture only the needed part is read. */
export async function readRoundTraffic(db: Queryable, runId: string): Promise<RoundTraffic[]> {
  const { rows } = await db.query<{ id: string; scenario: string; userAgent: string; outcome: unknown }>(
    `select round.id, scenario, user_agent as "userAgent", jsonb_build_object(
       'statistics', jsonb_build_object(
         'startEpochNs', outcome->'statistics'->'startEpochNs', 'endEpochNs', outcome->'statistics'->'endEpochNs',
         'throughput', jsonb_build_object('received', outcome->'statistics'->'throughput'->'received')),
       'clockOffsetMs', outcome->'clockOffsetMs', 'droppedByKernel', outcome->'droppedByKernel', 'droppedByInterface', outcome->'droppedByInterface') as outcome
     from round join pass on round_id = round.id left join capture on pass_id = pass.id
     where run_id = $1 and round.state = 'completed' and not warm_up
     order by round.index, user_agent`,
    [runId],
  );
  return [...Map.groupBy(rows, (row) => row.id).values()].map((passes) =>
    describeRoundTraffic(passes[0]!.scenario, passes),
  );
}
