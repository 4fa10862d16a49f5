import type { Pool, PoolClient } from 'pg';
import type { Queryable } from '../database/queryable.ts';
import { inTransaction } from '../database/transaction.ts';
import { markUnnamedPictures } from '../captures/pictures.ts';
import { isMeasuring } from './run-digests.ts';

/** Of one step: so many rows are locked and written at a time, at most. */
const rowsAtOnce = 2000;
const roundsAtOnce = 20;

/** Where the deletion of a Run has come to, in the order of its Rounds. */
export interface ClearingPlace {
  runId: string;
  index: number;
  attempt: number;
}

export interface ClearingStep {
  /** Null at the end of a Run. */
  next: ClearingPlace | null;
  /** Some traces may be named by no Capture any more. */
  hasTraces: boolean;
  /** Some pictures are named by no Visit any more. */
  hasPictures: boolean;
  /** A Run is being measured: others want the database to be quiet. */
  isMeasuring: boolean;
}

interface ClearedRun {
  id: string;
  isDeleted: boolean;
  losesVisits: boolean;
  isMeasuring: boolean;
}

/**
 * One step of the deletion of what a Run is to lose, in a transaction of its own: no more than two thousand rows and what belongs to them. `place`: the `next` of the step before.
 * Null when no Run has anything to lose, or other Controllers work on all that have. To repeat a step changes nothing.
 */
export async function clearSome(pool: Pool, place: ClearingPlace | null): Promise<ClearingStep | null> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<ClearedRun>(
      `select id, deleted_at is not null as "isDeleted", visits_deleted_at is not null as "losesVisits", exists (${isMeasuring}) as "isMeasuring"
       from run where is_clearing order by id limit 1 for update skip locked`,
    );
    const run = rows[0];
    if (!run) return null;
    const from = place?.runId === run.id && !run.isDeleted ? place : { runId: run.id, index: 0, attempt: 0 };
    return { isMeasuring: run.isMeasuring, ...(await clearRounds(client, run, from)) };
  });
}

async function clearRounds(
  client: PoolClient,
  { id: runId, isDeleted, losesVisits }: ClearedRun,
  from: ClearingPlace,
): Promise<Omit<ClearingStep, 'isMeasuring'>> {
  const { rows: rounds } = await client.query<{ id: string; index: number; attempt: number }>(
    'select id, index, attempt from round where run_id = $1 and (index, attempt) >= ($2, $3) order by index, attempt limit $4',
    [runId, from.index, from.attempt, roundsAtOnce],
  );
  const roundIds = rounds.map(({ id }) => id);
  const step = { next: from, hasTraces: false, hasPictures: false };
  if (isDeleted || losesVisits) {
    const { visits, hasPictures } = await deleteVisits(client, roundIds);
    step.hasPictures = hasPictures;
    if (visits === rowsAtOnce) return step;
  } else if ((await deleteSnapshots(client, roundIds)) === rowsAtOnce) return step;

  if (isDeleted && rounds.length > 0) return { ...step, hasTraces: await deleteRounds(client, roundIds) };
  const last = rounds.at(-1);
  if (last && rounds.length === roundsAtOnce)
    return { ...step, next: { runId, index: last.index, attempt: last.attempt + 1 } };
  if (isDeleted && (await deleteSums(client, runId))) return step;
  await client.query(isDeleted ? 'delete from run where id = $1' : 'update run set is_clearing = false where id = $1', [
    runId,
  ]);
  return { ...step, next: null };
}

async function deleteSnapshots(client: Queryable, roundIds: string[]): Promise<number> {
  const { rowCount } = await client.query(
    `delete from snapshot where visit_id in (
       select visit_id from pass join visit on pass_id = pass.id join snapshot on visit_id = visit.id where round_id = any($1) limit ${rowsAtOnce})`,
    [roundIds],
  );
  return rowCount!;
}

async function deleteVisits(client: Queryable, roundIds: string[]): Promise<{ visits: number; hasPictures: boolean }> {
  const { rows } = await client.query<{ id: string; pictures: string[] | null }>(
    `select visit.id, case when screenshot is not null or filmstrip is not null then array(
       select screenshot ->> 'sha256' where screenshot ->> 'sha256' is not null
       union select frame #>> '{}' from jsonb_array_elements(jsonb_path_query_array(filmstrip, '$.frames[*].sha256')) as frame) end as pictures
     from pass join visit on pass_id = pass.id where round_id = any($1) limit ${rowsAtOnce}`,
    [roundIds],
  );
  const ids = rows.map(({ id }) => id);
  await client.query('delete from snapshot where visit_id = any($1)', [ids]);
  await client.query('delete from visit where id = any($1)', [ids]);
  const pictures = [...new Set(rows.flatMap((row) => row.pictures ?? []))];
  return { visits: rows.length, hasPictures: pictures.length > 0 && (await markUnnamedPictures(client, pictures)) };
}

/**
 * Rounds without Visits, as many of their Passes as one step may. Whether some traces may be named by no Capture any more. A Capture that is being stored is waited for, and no other is
 * stored from then on: it would go with its Pass, and nobody would know of its trace.
 */
async function deleteRounds(client: Queryable, roundIds: string[]): Promise<boolean> {
  const { rows: passes } = await client.query<{ id: string }>(
    `select id from pass where round_id = any($1) limit ${rowsAtOnce} for update`,
    [roundIds],
  );
  await client.query('select from capture_point where round_id = any($1) for update', [roundIds]);
  const passIds = passes.map(({ id }) => id);
  const hasTraces = await deleteCaptures(client, { passIds, roundIds });
  await client.query('delete from pass where id = any($1)', [passIds]);
  if (passes.length < rowsAtOnce) await client.query('delete from round where id = any($1)', [roundIds]);
  return hasTraces;
}

/** Their traces are noted as unclaimed: a Controller that has them in another folder removes them within an hour. Whether there were some. */
async function deleteCaptures(
  client: Queryable,
  { passIds, roundIds }: { passIds: string[]; roundIds: string[] },
): Promise<boolean> {
  const { rows } = await client.query<{ any: boolean }>(
    `with given_up as (
       delete from capture where pass_id = any($1) or point_id in (select id from capture_point where round_id = any($2))
       returning trace_sha256, trace_store, trace_removed_at),
     kept as (select distinct trace_sha256 as sha256, trace_store as store from given_up where trace_sha256 is not null and trace_removed_at is null),
     noted as (insert into unclaimed_trace (sha256, store) select sha256, store from kept on conflict do nothing)
     select exists (select from kept) as any`,
    [passIds, roundIds],
  );
  return rows[0]!.any;
}

/** True when some may be left. */
async function deleteSums(client: Queryable, runId: string): Promise<boolean> {
  for (const table of ['cell_rollup', 'http_version_rollup', 'block_rollup', 'stop_decision']) {
    const { rowCount } = await client.query(
      `delete from ${table} where ctid = any (array(select ctid from ${table} where run_id = $1 limit ${rowsAtOnce}))`,
      [runId],
    );
    if (rowCount === rowsAtOnce) return true;
  }
  return false;
}

/** Removes erased Evaluations whose Runs are gone. */
export async function removeErasedEvaluations(db: Queryable): Promise<void> {
  await db.query(
    'delete from evaluation where erased_at is not null and not exists (select from run where evaluation_id = evaluation.id)',
  );
}
