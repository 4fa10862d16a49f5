import { BlockDecisionSchema, type BlockDecision } from '#core/stop-rule/block-decision.ts';
import type { Queryable } from '../database/queryable.ts';
import { LeaseLostError, type OwnedRun } from './stored-runs.ts';

/** Null when nothing was decided after this Block yet. */
export async function findDecision(db: Queryable, runId: string, block: number): Promise<BlockDecision | null> {
  const { rows } = await db.query<{ decision: unknown }>(
    'select decision from stop_decision where run_id = $1 and block = $2',
    [runId, block],
  );
  return rows[0] ? BlockDecisionSchema.parse(rows[0].decision) : null;
}

/** The first Block of the Rounds that were added last: what ended the Run before them does not count any more. */
export const lastStart = `(select coalesce(max(first_block), 0) from added_rounds where added_rounds.run_id = stop_decision.run_id)`;

/** The decision that ended a Run; null while it runs, and when it was not the stop rule that ended it. */
export async function findEnding(db: Queryable, runId: string): Promise<BlockDecision | null> {
  const { rows } = await db.query<{ decision: unknown }>(
    `select decision from stop_decision where run_id = $1 and decision ->> 'stopReason' is not null and block >= ${lastStart} order by block desc limit 1`,
    [runId],
  );
  return rows[0] ? BlockDecisionSchema.parse(rows[0].decision) : null;
}

/** Stores a decision, and how many Rounds the Run is expected to have by it. Throws LeaseLostError. */
export async function storeDecision(
  db: Queryable,
  run: OwnedRun,
  { decision, roundsExpected }: { decision: BlockDecision; roundsExpected: number },
): Promise<void> {
  const { rows } = await db.query(
    `with owned as (update run set rounds_planned = $5 where id = $1 and epoch = $2 returning id),
     stored as (insert into stop_decision (run_id, block, decision) select id, $3, $4 from owned on conflict do nothing)
     select id from owned`,
    [run.id, run.epoch, decision.blocks, JSON.stringify(decision), roundsExpected],
  );
  if (rows.length === 0) throw new LeaseLostError(run.id);
}
