import type { Pool, PoolClient } from 'pg';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import type { RunState } from '#core/protocol/api/run-summary.ts';
import { planQueue } from '#controller/coordinator/plan-queue.ts';
import type { Queryable } from '../database/queryable.ts';
import { inTransaction } from '../database/transaction.ts';
import { heldLines, isOwnerGone, unrenewedSeconds } from '../agents/exchange/controllers.ts';
import { readQueue } from './run-queue.ts';
import { leaseSeconds, type OwnedRun } from './stored-runs.ts';

/** So long a Run that can begin is left to the Controller that most of its Agents are connected to: its orders take the shortest way. */
const preferredSeconds = 3;

interface Claim {
  owner: string;
  /** Lets it begin none beside another, as if some Controller of the database had this rule. */
  oneAtATime: boolean;
  /** The Runs that it is still leaving. */
  except: readonly string[];
}

interface ClaimedRow {
  id: string;
  epoch: number;
  seed: string;
  state: RunState;
  document: unknown;
}

/**
 * Takes a Run for a Controller, `owner`: the oldest that is under way and that nobody owns, else the first of the queue that waits for no other Run. Its Agents
 * may be connected to any Controllers, or not yet. Null when there is none to take.
 */
export async function claimRun(
  pool: Pool,
  owner: string,
  { oneAtATime = false, except = [] }: Partial<Pick<Claim, 'oneAtATime' | 'except'>> = {},
): Promise<OwnedRun | null> {
  const claim = { owner, oneAtATime, except };
  const row = (await claimUnderWay(pool, claim)) ?? (await claimPending(pool, claim));
  return row ? { ...row, seed: Number(row.seed), evaluation: EvaluationSchema.parse(row.document) } : null;
}

/** Whether no other Controller has more of the Agents of a Run, or had its time to take it; $1 is the owner. To be used after `with held as (…)`. */
const isNearest = `(created_at < now() - interval '${preferredSeconds} seconds' or not exists (
  select from held where held.agent = any(agents) group by held.controller
  having count(*) > (select count(*) from held own where own.agent = any(agents) and own.controller = $1::uuid)))`;

/** Whether nobody owns a Run that is under way: its lease is over, or its owner was killed and renews it no more. */
const isUnowned = `(owner_until is null or owner_until < now()
  or (owner_until < now() + interval '${leaseSeconds - unrenewedSeconds} seconds' and ${isOwnerGone}))`;

// clock_timestamp(): the transaction of a claim may have begun before the Run ended that this one waited for.
const claimed = `
  owner = $1::text, owner_until = now() + make_interval(secs => $2), epoch = epoch + 1,
  state = case state when 'pending' then 'running' else state end, started_at = coalesce(started_at, clock_timestamp())`;
const claimedColumns = 'run.id, run.epoch, run.seed, run.state, run.document';

async function claimUnderWay(db: Queryable, { owner, except }: Claim): Promise<ClaimedRow | undefined> {
  const { rows } = await db.query<ClaimedRow>(
    `with next as (
       select id from run
       where state in ('running', 'stopping') and id <> all ($3::bigint[]) and ${isUnowned}
       order by id limit 1 for update skip locked)
     update run set ${claimed} from next where run.id = next.id returning ${claimedColumns}`,
    [owner, leaseSeconds, except],
  );
  return rows[0];
}

async function claimPending(pool: Pool, { owner, oneAtATime, except }: Claim): Promise<ClaimedRow | undefined> {
  const { rowCount } = await pool.query(`select from run where state = 'pending' limit 1`);
  if (rowCount === 0) return undefined;
  return inTransaction(pool, async (client) => {
    // One that is halted here must not keep the others from claiming.
    await client.query(`set local idle_in_transaction_session_timeout = '5s'`);
    // Two that look at the queue at once would both see room for their own Run: one of them looks again soon.
    const turn = await client.query('select from instance for update skip locked');
    if (turn.rowCount === 0) return undefined;
    const queue = await readQueue(client);
    const { runs } = queue;
    const isFree = runs.every(({ isUnderWay }) => !isUnderWay);
    const plan = planQueue(runs, { oneAtATime: oneAtATime || queue.oneAtATime });
    // A Run with a host that was never seen may meet any other, so it begins alone.
    const free = runs.filter(
      ({ id, isReady }) => plan.get(id)?.length === 0 && (isReady || isFree) && !except.includes(id),
    );
    const claimedRow = await claimFirst(client, { owner, ids: free.map(({ id }) => id) });
    if (claimedRow) await recordBeside(client, claimedRow.id);
    return claimedRow;
  });
}

async function claimFirst(
  client: PoolClient,
  { owner, ids }: { owner: string; ids: readonly string[] },
): Promise<ClaimedRow | undefined> {
  const { rows } = await client.query<ClaimedRow>(
    `with held as (${heldLines}),
     next as (
       select id from run where id = any($3::bigint[]) and state = 'pending' and ${isNearest}
       order by array_position($3::bigint[], id) limit 1 for update skip locked)
     update run set ${claimed} from next where run.id = next.id returning ${claimedColumns}`,
    [owner, leaseSeconds, ids],
  );
  return rows[0];
}

async function recordBeside(client: PoolClient, runId: string): Promise<void> {
  await client.query(
    `with others as (select id from run where state in ('running', 'stopping') and id <> $1)
     insert into run_beside (run_id, other_id)
     select $1, id from others union all select id, $1 from others on conflict do nothing`,
    [runId],
  );
}
