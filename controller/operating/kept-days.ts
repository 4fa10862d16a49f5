import { KeptDaysSchema, type KeptDays } from '#core/protocol/api/retention.ts';
import type { Queryable } from '../database/queryable.ts';
import { digestDefinition, isCurrentDigest } from '../runs/run-digests.ts';

/** For all Evaluations without a setting of their own. */
export async function readKeptDays(db: Queryable): Promise<KeptDays> {
  const { rows } = await db.query<{ retention: unknown }>('select retention from instance');
  return KeptDaysSchema.parse(rows[0]!.retention);
}

export async function storeKeptDays(db: Queryable, days: KeptDays): Promise<void> {
  await db.query('update instance set retention = $1', [JSON.stringify(days)]);
}

/** Of one Evaluation: null as for all. */
export async function readKeptDaysOf(db: Queryable, evaluationId: string): Promise<KeptDays | null> {
  const { rows } = await db.query<{ retention: unknown }>('select retention from evaluation where id = $1', [
    evaluationId,
  ]);
  return KeptDaysSchema.nullable().parse(rows[0]?.retention ?? null);
}

export async function storeKeptDaysOf(db: Queryable, evaluationId: string, days: KeptDays | null): Promise<void> {
  await db.query('update evaluation set retention = $2 where id = $1', [evaluationId, days && JSON.stringify(days)]);
}

export interface DueRun {
  id: string;
  name: string;
  losesSnapshots: boolean;
  losesVisits: boolean;
}

/** At most `limit` Runs that have data which are older than is kept. Visits are due only once the outcome of their Run is known: it is all that lists then have. */
export async function findDueRuns(db: Queryable, limit: number): Promise<DueRun[]> {
  const { rows } = await db.query<DueRun>(
    `select id, name, loses_snapshots or loses_visits as "losesSnapshots", loses_visits as "losesVisits"
     from (
       select run.id, run.name,
         coalesce((snapshots_deleted_at is null or snapshots_deleted_at < run.ended_at)
           and run.ended_at < now() - make_interval(days => (kept ->> 'snapshotDays')::int), false) as loses_snapshots,
         coalesce(run.ended_at < now() - make_interval(days => (kept ->> 'visitDays')::int), false)
           and (is_try or exists (select from run_digest digest where ${isCurrentDigest})) as loses_visits
       from run join evaluation on evaluation.id = evaluation_id
       cross join lateral (select coalesce(evaluation.retention, (select retention from instance)) as kept) setting
       where run.ended_at is not null and run.deleted_at is null and visits_deleted_at is null and not is_clearing) aged
     where loses_snapshots or loses_visits order by id limit $2`,
    [digestDefinition, limit],
  );
  return rows;
}

/** Lets a Run lose what is due, in steps. False when it is no longer as it was found. */
export async function markDueRun(db: Queryable, run: DueRun): Promise<boolean> {
  const { rowCount } = await db.query(
    `update run set is_clearing = true, snapshots_deleted_at = now(), visits_deleted_at = case when $2 then now() end
     where id = $1 and ended_at is not null and deleted_at is null and visits_deleted_at is null and not is_clearing`,
    [run.id, run.losesVisits],
  );
  return rowCount === 1;
}
