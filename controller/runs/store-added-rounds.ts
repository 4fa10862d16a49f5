import type { PoolClient } from 'pg';
import { mostAdditions, type AddedRounds } from '#core/evaluation/rounds/repetition.ts';
import { isOpen, type RunState } from '#core/protocol/api/run-summary.ts';
import { fromRow, type Queryable, type RowOf } from '../database/queryable.ts';
import { LeaseLostError, type OwnedRun } from './stored-runs.ts';

/** Of a Run, in the order in which they were added. */
export async function listAddedRounds(db: Queryable, runId: string): Promise<AddedRounds[]> {
  const { rows } = await db.query<RowOf<AddedRounds>>(
    `select first_block as "firstBlock", blocks, requested_by as "requestedBy", requested_at as "requestedAt", started_at as "startedAt", ended_before as "endedBefore"
     from added_rounds where run_id = $1 order by number`,
    [runId],
  );
  return rows.map(fromRow<AddedRounds>);
}

/** A Run that no one else changes until the end of the transaction; null when there is none of this id. */
export async function lockRun(
  client: PoolClient,
  runId: string,
): Promise<{
  state: RunState;
  seed: number;
  document: unknown;
  isTry: boolean;
  lastBlock: number;
  hasVisits: boolean;
} | null> {
  const { rows } = await client.query<{
    state: RunState;
    seed: string;
    document: unknown;
    isTry: boolean;
    lastBlock: number;
    hasVisits: boolean;
  }>(
    `select state, seed, document, is_try as "isTry",
       (select coalesce(max(block), 0) from round where run_id = run.id and not warm_up) as "lastBlock", visits_deleted_at is null as "hasVisits"
     from run where id = $1 and deleted_at is null for update`,
    [runId],
  );
  return rows[0] ? { ...rows[0], seed: Number(rows[0].seed) } : null;
}

/** Adds Rounds to an ended Run, which then waits for its turn like any other. */
export async function insertAddedRounds(
  client: PoolClient,
  added: { runId: string; firstBlock: number; blocks: number; requestedBy: string; roundsPlanned: number },
): Promise<void> {
  await client.query(
    `insert into added_rounds (run_id, number, first_block, blocks, requested_by, state_before, problem_before, ended_before, rounds_planned_before)
     select id, 1 + (select count(*) from added_rounds where run_id = run.id), $2, $3, $4, state, problem, ended_at, rounds_planned
     from run where id = $1`,
    [added.runId, added.firstBlock, added.blocks, added.requestedBy],
  );
  await client.query(
    `update run set state = 'pending', problem = null, ended_at = null, rounds_planned = $2 where id = $1`,
    [added.runId, added.roundsPlanned],
  );
}

/** The Rounds that were added last begin: the time since the Run ended is a pause of it. To repeat it changes nothing. Throws LeaseLostError. */
export async function startAddedRounds(db: Queryable, run: OwnedRun): Promise<void> {
  const { rows } = await db.query(
    `with owned as (select id from run where id = $1 and epoch = $2 for update),
     begun as (
       update added_rounds set started_at = now() from owned where run_id = owned.id and started_at is null returning ended_before),
     resumed as (
       update run set paused_ms = paused_ms + extract(epoch from now() - ended_before) * 1000 from begun, owned where run.id = owned.id)
     select id from owned`,
    [run.id, run.epoch],
  );
  if (rows.length === 0) throw new LeaseLostError(run.id);
}

/** The Blocks of a Run that have a completed Round that counts. */
export async function listCountedBlocks(db: Queryable, runId: string): Promise<number[]> {
  const { rows } = await db.query<{ block: number }>(
    `select distinct block from round where run_id = $1 and state = 'completed' and not warm_up`,
    [runId],
  );
  return rows.map(({ block }) => block);
}

/** Why no Rounds can be added to a Run; null when they can. `lastBlock`: the last that was begun, 0 without any. */
export function explainNoAddition({
  state,
  isTry,
  additions,
  lastBlock,
  hasVisits = true,
}: {
  state: RunState;
  isTry: boolean;
  additions: number;
  lastBlock: number;
  /** The retention setting has not deleted them. */
  hasVisits?: boolean;
}): string | null {
  if (isOpen(state)) return 'it has not ended. Wait for its end';
  if (isTry) return 'it only tried a URL. Run an Evaluation instead';
  // What was stopped or failed before its declared end has no result that Rounds could add to.
  if (state !== 'completed' && additions === 0)
    return `it is ${state}, and only a completed Run can be continued. Run it again instead`;
  if (!hasVisits) return 'its Visits were deleted by the retention setting. Run it again instead';
  if (lastBlock === 0) return 'it has no Round that counts. Run it again instead';
  if (additions >= mostAdditions)
    return `Rounds were added ${mostAdditions} times, which is the most. Run it again instead`;
  return null;
}
