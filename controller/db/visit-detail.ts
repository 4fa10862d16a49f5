import type { VisitDetail } from '#core/protocol/api/visit.ts';
import { VisitDetailSchema } from '#core/protocol/api/visit.ts';
import type { Queryable } from './queryable.ts';

/** One Visit with its Readings and its Snapshot; null when there is none of this id. */
export async function findVisit(db: Queryable, visitId: string): Promise<VisitDetail | null> {
  const { rows } = await db.query<{ visit: unknown }>(
    `select jsonb_build_object(
       'id', visit.id, 'runId', round.run_id::text, 'roundId', round.id, 'block', round.block, 'scenario', round.scenario,
       'warmUp', round.warm_up, 'userAgent', pass.user_agent, 'agent', pass.agent, 'sequence', visit.sequence, 'url', visit.url,
       'repetition', visit.repetition, 'startedAt', visit.started_at, 'clockOffsetMs', visit.clock_offset_ms,
       'clockErrorMs', visit.clock_error_ms, 'status', visit.status, 'code', visit.code, 'detail', visit.detail,
       'metricsVersion', visit.metrics_version, 'readings', visit.readings, 'absences', visit.absences, 'snapshot', snapshot.body,
       'screenshot', visit.screenshot
     ) as visit
     from visit join pass on pass.id = visit.pass_id join round on round.id = pass.round_id
     left join snapshot on snapshot.visit_id = visit.id
     where visit.id = $1`,
    [visitId],
  );
  return rows[0] ? VisitDetailSchema.parse(rows[0].visit) : null;
}
