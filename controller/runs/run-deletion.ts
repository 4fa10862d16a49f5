import type { Pool } from 'pg';
import { AppError } from '#core/app-error.ts';
import type { RunContents } from '#core/protocol/api/run-contents.ts';
import type { Queryable } from '../database/queryable.ts';
import { inTransaction } from '../database/transaction.ts';
import { digestDefinition, isCurrentDigest } from './run-digests.ts';

/** What would be lost with these Runs. */
export async function readRunContents(db: Queryable, runIds: readonly string[]): Promise<RunContents> {
  const { rows } = await db.query<RunContents>(
    `select count(*)::int as runs, coalesce(sum(held.rounds), 0)::int as rounds, coalesce(sum(held.visits), 0)::int as visits,
       coalesce(sum(held.traces), 0)::int as traces, coalesce(sum(held."traceBytes"), 0)::float8 as "traceBytes", coalesce(sum(held.shares), 0)::int as shares
     from run left join run_digest digest on ${isCurrentDigest}
     cross join lateral (
       select (select count(*) from round where run_id = run.id) as rounds,
         case when run.visits_deleted_at is not null then 0 else coalesce(digest.visits,
           (select count(*) from round join pass on round_id = round.id join visit on pass_id = pass.id where run_id = run.id)) end as visits,
         kept.traces, kept.bytes as "traceBytes",
         (select count(*) from comparison_share where run_id = run.id and revoked_at is null and expires_at > now()) as shares
       from (
         select count(*) as traces, sum(trace_bytes) as bytes
         from round left join pass on pass.round_id = round.id left join capture_point on capture_point.round_id = round.id and pass.id is null
           join capture on capture.pass_id = pass.id or capture.point_id = capture_point.id
         where run_id = run.id and trace_sha256 is not null and trace_removed_at is null) kept) held
     where run.id = any($2) and run.deleted_at is null`,
    [digestDefinition, runIds],
  );
  return rows[0]!;
}

/** The ids of the Runs of an Evaluation. */
export async function listRunIds(db: Queryable, evaluationId: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select id from run where evaluation_id = $1 and deleted_at is null',
    [evaluationId],
  );
  return rows.map(({ id }) => id);
}

/** Lets an ended Run be deleted in steps; from now on it is shown nowhere. Throws AppError 'not-found', or 'conflict' where it has not ended. */
export async function deleteRun(pool: Pool, runId: string): Promise<void> {
  await inTransaction(pool, async (client) => {
    const deleted = await deleteRuns(client, [runId]);
    if (deleted === 0) throw new AppError('not-found', `There is no Run ${runId}`);
  });
}

/** Lets an Evaluation be deleted with all of its Runs. It cannot be restored. Throws as `deleteRun`. */
export async function eraseEvaluation(pool: Pool, evaluationId: string): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      'update evaluation set deleted_at = coalesce(deleted_at, now()), erased_at = now() where id = $1 and erased_at is null',
      [evaluationId],
    );
    if (rowCount === 0) throw new AppError('not-found', `There is no Evaluation ${evaluationId}`);
    await deleteRuns(client, await listRunIds(client, evaluationId));
  });
}

/** In a transaction: all, or none where one has not ended. Returns how many there were. */
async function deleteRuns(client: Queryable, runIds: readonly string[]): Promise<number> {
  const { rows } = await client.query<{ id: string; has_ended: boolean }>(
    'select id, ended_at is not null as has_ended from run where id = any($1) and deleted_at is null order by id for update',
    [runIds],
  );
  const open = rows.find(({ has_ended }) => !has_ended);
  if (open) throw new AppError('conflict', `Run ${open.id} has not ended: stop it first. Nothing was deleted`);
  await client.query('update run set deleted_at = now(), is_clearing = true where id = any($1)', [
    rows.map(({ id }) => id),
  ]);
  return rows.length;
}
