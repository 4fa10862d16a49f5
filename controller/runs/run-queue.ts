import type { RunSummary } from '#core/protocol/api/run-summary.ts';
import { planQueue, type AgentPlace, type QueuedRun } from '#controller/coordinator/plan-queue.ts';
import type { Queryable } from '../database/queryable.ts';
import { silenceSeconds } from '../agents/exchange/controllers.ts';

/** When a Run joined the queue: added Rounds join it at its end. */
const queuedAt = `coalesce(
  (select requested_at from added_rounds where run_id = run.id and added_rounds.started_at is null), run.created_at)`;

interface QueueRow {
  id: string;
  name: string;
  is_under_way: boolean;
  is_paused: boolean;
  /** Null where its hosts are not known. */
  is_ready: boolean | null;
  places: AgentPlace[] | null;
  shared: string[] | null;
}

/** The open Runs: those under way, then the others in the order in which they were started. */
export async function readQueue(db: Queryable): Promise<{ runs: QueuedRun[]; oneAtATime: boolean }> {
  const { rows } = await db.query<QueueRow>(
    `select run.id, run.name, run.state <> 'pending' as is_under_way, run.paused_at is not null as is_paused, run.shared, place.places, place.are_known as is_ready
     from run left join lateral (
       select
         jsonb_agg(jsonb_build_object('agent', needed.name, 'machine', agent.machine, 'address', agent.address,
           'originHost', substring(agent.facts #>> '{origin,httpUrl}' from '^https?://(\\[[^]]*\\]|[^/:]*)'))) as places,
         bool_and(agent.name is not null) as are_known
       from unnest(run.agents) as needed (name) left join agent using (name)) place on true
     where run.state in ('pending', 'running', 'stopping')
     order by run.state = 'pending', ${queuedAt}, run.id`,
  );
  const { rows: rules } = await db.query<{ one_at_a_time: boolean }>(
    `select exists (
       select from controller where one_run_at_a_time and seen_at > now() - make_interval(secs => ${silenceSeconds})) as one_at_a_time`,
  );
  return {
    runs: rows.map((row) => ({
      id: row.id,
      name: row.name,
      isUnderWay: row.is_under_way,
      isPaused: row.is_paused,
      isReady: row.is_ready ?? true,
      places: row.shared === null ? null : row.places,
      shared: row.shared ?? [],
    })),
    oneAtATime: rules[0]!.one_at_a_time,
  };
}

/** The same Runs, each that is pending with the Runs that it waits for. */
export async function explainWaiting<Run extends Pick<RunSummary, 'id' | 'state' | 'waitsFor'>>(
  db: Queryable,
  runs: readonly Run[],
): Promise<Run[]> {
  if (!runs.some(({ state }) => state === 'pending')) return [...runs];
  const { runs: queue, oneAtATime } = await readQueue(db);
  const plan = planQueue(queue, { oneAtATime });
  return runs.map((run) => ({ ...run, waitsFor: plan.get(run.id) ?? [] }));
}

/** The Runs that were under way at the same time as a Run, by their ids. */
export async function listRunsBeside(db: Queryable, runId: string): Promise<string[]> {
  const { rows } = await db.query<{ other_id: string }>(
    'select other_id from run_beside where run_id = $1 order by other_id',
    [runId],
  );
  return rows.map(({ other_id: id }) => id);
}
