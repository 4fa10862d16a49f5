import type { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { VisitDetailSchema } from '#core/protocol/api/stored-visit.ts';
import type { Queryable } from '../database/queryable.ts';
import type { StoredSnapshot } from './written-snapshot.ts';

const WithoutSnapshotSchema = VisitDetailSchema.omit({ snapshot: true });

/** One Visit, whose Snapshot nobody has read yet. */
export interface FoundVisit {
  visit: z.infer<typeof WithoutSnapshotSchema>;
  /** Null when nothing was seen of the page, and when it was deleted. */
  snapshot: StoredSnapshot | null;
}

/** Throws `not-found`. */
export async function needVisit(db: Queryable, visitId: string): Promise<FoundVisit> {
  const { rows } = await db.query<{ visit: object; compressed: Buffer | null; body: string | null }>(
    `select jsonb_build_object(
       'id', visit.id, 'runId', round.run_id::text, 'roundId', round.id, 'passId', pass.id, 'block', round.block, 'scenario', round.scenario,
       'warmUp', round.warm_up, 'userAgent', pass.user_agent, 'agent', pass.agent, 'sequence', visit.sequence, 'url', visit.url, 'address', coalesce(visit.address, visit.url),
       'repetition', visit.repetition, 'startedAt', visit.started_at, 'clockOffsetMs', visit.clock_offset_ms,
       'clockErrorMs', visit.clock_error_ms, 'hostDelayMs', visit.host_delay_ms, 'status', visit.status, 'code', visit.code, 'detail', visit.detail,
       'metricsVersion', visit.metrics_version, 'readings', visit.readings, 'absences', visit.absences,
       'screenshot', visit.screenshot, 'filmstrip', visit.filmstrip,
       'exclusion', case when exclusion.id is null then null else jsonb_build_object(
         'id', exclusion.id::text, 'reason', exclusion.reason, 'excludedBy', exclusion.excluded_by, 'excludedAt', exclusion.excluded_at) end,
       'previousId', (select id from visit before where before.pass_id = pass.id and before.sequence < visit.sequence order by before.sequence desc limit 1),
       'nextId', (select id from visit after where after.pass_id = pass.id and after.sequence > visit.sequence order by after.sequence limit 1)
     ) as visit, snapshot.compressed, snapshot.body::text as body
     from visit join pass on pass.id = visit.pass_id join round on round.id = pass.round_id join run on run.id = round.run_id and run.deleted_at is null
     left join snapshot on snapshot.visit_id = visit.id
     left join exclusion on exclusion.visit_id = visit.id and exclusion.reversed_at is null
     where visit.id = $1`,
    [visitId],
  );
  if (!rows[0]) throw new AppError('not-found', `There is no Visit ${visitId}`);
  const { visit, compressed, body } = rows[0];
  return { visit: WithoutSnapshotSchema.parse(visit), snapshot: compressed ?? body };
}
