import type { VisitDetail } from '#core/protocol/api/stored-visit.ts';
import { VisitDetailSchema } from '#core/protocol/api/stored-visit.ts';
import { readSnapshot } from './compressed-snapshot.ts';
import type { Queryable } from '../database/queryable.ts';

/** One Visit with its Readings and its Snapshot; null when there is none of this id. */
export async function findVisit(db: Queryable, visitId: string): Promise<VisitDetail | null> {
  const { rows } = await db.query<{ visit: object; compressed: Buffer | null }>(
    `select jsonb_build_object(
       'id', visit.id, 'runId', round.run_id::text, 'roundId', round.id, 'passId', pass.id, 'block', round.block, 'scenario', round.scenario,
       'warmUp', round.warm_up, 'userAgent', pass.user_agent, 'agent', pass.agent, 'sequence', visit.sequence, 'url', visit.url, 'address', coalesce(visit.address, visit.url),
       'repetition', visit.repetition, 'startedAt', visit.started_at, 'clockOffsetMs', visit.clock_offset_ms,
       'clockErrorMs', visit.clock_error_ms, 'hostDelayMs', visit.host_delay_ms, 'status', visit.status, 'code', visit.code, 'detail', visit.detail,
       'metricsVersion', visit.metrics_version, 'readings', visit.readings, 'absences', visit.absences, 'snapshot', snapshot.body,
       'screenshot', visit.screenshot, 'filmstrip', visit.filmstrip,
       'exclusion', case when exclusion.id is null then null else jsonb_build_object(
         'id', exclusion.id::text, 'reason', exclusion.reason, 'excludedBy', exclusion.excluded_by, 'excludedAt', exclusion.excluded_at) end,
       'previousId', (select id from visit before where before.pass_id = pass.id and before.sequence < visit.sequence order by before.sequence desc limit 1),
       'nextId', (select id from visit after where after.pass_id = pass.id and after.sequence > visit.sequence order by after.sequence limit 1)
     ) as visit, snapshot.compressed
     from visit join pass on pass.id = visit.pass_id join round on round.id = pass.round_id
     left join snapshot on snapshot.visit_id = visit.id
     left join exclusion on exclusion.visit_id = visit.id and exclusion.reversed_at is null
     where visit.id = $1`,
    [visitId],
  );
  if (!rows[0]) return null;
  const { visit, compressed } = rows[0];
  return VisitDetailSchema.parse(compressed ? { ...visit, snapshot: readSnapshot(compressed) } : visit);
}
