import { describePointTraffic } from '#core/record/point-traffic.ts';
import type { PointTraffic } from '#core/record/point-traffic.ts';
import type { Queryable } from '../connection/queryable.ts';

/** What crossed the Capture Points in each completed Round that is no warm-up. Of each Capture only the needed part is read. */
export async function readPointTraffic(db: Queryable, runId: string): Promise<PointTraffic[]> {
  const { rows } = await db.query<{ block: number; scenario: string; point: string; outcome: unknown }>(
    `select round.block, round.scenario, capture_point.name as point, case when capture.id is not null then outcome || jsonb_build_object(
       'statistics', jsonb_build_object(
         'packets', statistics->'packets', 'dataBytes', statistics->'dataBytes', 'tcp', statistics->'tcp', 'udp', statistics->'udp',
         'connections', coalesce((select jsonb_agg(jsonb_build_object('tls', connection->'tls')) from jsonb_array_elements(statistics->'connections') as connection), '[]'))) end as outcome
     from round join capture_point on round_id = round.id left join capture on point_id = capture_point.id, lateral (select outcome->'statistics' as statistics) as read
     where run_id = $1 and round.state = 'completed' and not warm_up
     order by round.index, capture_point.name`,
    [runId],
  );
  return rows.map(({ outcome, ...of }) => ({ ...of, captured: describePointTraffic(outcome) }));
}
