import type { Pool, PoolClient } from 'pg';
import { AppError } from '#core/app-error.ts';
import type { Exclusion } from '#core/record/exclusion.ts';
import { fromRow, type Queryable, type RowOf } from '../database/queryable.ts';
import { rollUpAgain } from './rollups.ts';
import { inTransaction } from '../database/transaction.ts';
import { needVisits } from '../visits/kept-visits.ts';

type ExclusionRow = RowOf<Omit<Exclusion, 'reversal'>> & {
  reversalReason: string | null;
  reversedBy: string | null;
  reversedAt: Date | null;
};

const listed = `
  select exclusion.id, visit_id as "visitId", block, scenario, user_agent as "userAgent", url, reason, excluded_by as "excludedBy", excluded_at as "excludedAt",
    reversal_reason as "reversalReason", reversed_by as "reversedBy", reversed_at as "reversedAt"
  from exclusion join visit on visit.id = visit_id join pass on pass.id = pass_id join round on round.id = round_id`;

/** Every exclusion of a Run, reversed ones too, the first first. */
export async function listExclusions(db: Queryable, runId: string): Promise<Exclusion[]> {
  const { rows } = await db.query<ExclusionRow>(`${listed} where run_id = $1 order by exclusion.id`, [runId]);
  return rows.map(toExclusion);
}

/** The ids of the completed Rounds of a Run of which a person excluded every Visit. */
export async function listExcludedRounds(db: Queryable, runId: string): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(
    `with excluded as (
       select visit_id, round_id from exclusion join visit on visit.id = visit_id join pass on pass.id = pass_id join round on round.id = round_id
       where run_id = $1 and round.state = 'completed' and reversed_at is null)
     select pass.round_id as id from pass join visit on visit.pass_id = pass.id left join excluded on visit_id = visit.id
     where repetition > 0 and pass.round_id in (select round_id from excluded) group by pass.round_id having bool_and(visit_id is not null)`,
    [runId],
  );
  return new Set(rows.map(({ id }) => id));
}

/** All of the Visits are excluded, or none. Throws AppError 'not-found' for one of another Run, 'conflict' for one that is excluded already, 'visits-deleted'. */
export async function excludeVisits(
  pool: Pool,
  exclusion: { runId: string; visitIds: string[]; reason: string; by: string },
): Promise<Exclusion[]> {
  const { runId, reason, by } = exclusion;
  const visitIds = [...new Set(exclusion.visitIds)];
  return inTransaction(pool, async (client) => {
    await beginChange(client, runId);
    const { rows } = await client.query<{ id: string; is_excluded: boolean }>(
      `select visit.id, exists (select from exclusion where visit_id = visit.id and reversed_at is null) as is_excluded
       from visit join pass on pass.id = pass_id join round on round.id = round_id where visit.id = any($1) and run_id = $2`,
      [visitIds, runId],
    );
    const missing = visitIds.find((id) => rows.every((row) => row.id !== id));
    if (missing !== undefined)
      throw new AppError('not-found', `Run ${runId} has no Visit ${missing}. Nothing was excluded`);
    const excluded = rows.find((row) => row.is_excluded);
    if (excluded)
      throw new AppError(
        'conflict',
        `Visit ${excluded.id} is already excluded: reverse that first to give another reason. Nothing was excluded`,
      );

    const { rows: made } = await client.query<{ id: string }>(
      'insert into exclusion (visit_id, reason, excluded_by) select unnest($1::uuid[]), $2, $3 returning id',
      [visitIds, reason, by],
    );
    await rollUpAgain(client, runId, visitIds);
    const { rows: stored } = await client.query<ExclusionRow>(
      `${listed} where exclusion.id = any($1) order by exclusion.id`,
      [made.map(({ id }) => id)],
    );
    return stored.map(toExclusion);
  });
}

/** Lets the Visit count again. Throws AppError 'not-found', 'visits-deleted', or 'conflict' when it was reversed before. */
export async function reverseExclusion(
  pool: Pool,
  { id, reason, by }: { id: string; reason: string; by: string },
): Promise<Exclusion> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ run_id: string; visit_id: string }>(
      'select run_id, visit_id from exclusion join visit on visit.id = visit_id join pass on pass.id = pass_id join round on round.id = round_id where exclusion.id = $1',
      [id],
    );
    const run = rows[0];
    if (!run) throw new AppError('not-found', `There is no exclusion ${id}`);
    await beginChange(client, run.run_id);
    const { rowCount } = await client.query(
      'update exclusion set reversal_reason = $2, reversed_by = $3, reversed_at = now() where id = $1 and reversed_at is null',
      [id, reason, by],
    );
    if (rowCount === 0) throw new AppError('conflict', `Exclusion ${id} was already reversed: its Visit counts`);
    await rollUpAgain(client, run.run_id, [run.visit_id]);
    const { rows: stored } = await client.query<ExclusionRow>(`${listed} where exclusion.id = $1`, [id]);
    return toExclusion(stored[0]!);
  });
}

/** Others who change the same Run wait here, its retention too: once Visits are being deleted, no sum can be made again from those that are left. */
async function beginChange(client: PoolClient, runId: string): Promise<void> {
  await client.query('update run set revision = revision + 1 where id = $1', [runId]);
  await needVisits(client, runId);
}

function toExclusion({ reversalReason, reversedBy, reversedAt, ...row }: ExclusionRow): Exclusion {
  return {
    ...fromRow<Omit<Exclusion, 'reversal'>>(row),
    reversal: reversedAt && {
      reason: reversalReason!,
      reversedBy: reversedBy!,
      reversedAt: reversedAt.toISOString(),
    },
  };
}
