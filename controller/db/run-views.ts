import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { expandEvaluation } from '#core/evaluation/expand-evaluation.ts';
import type { RunDetail, RunState, RunSummary } from '#core/protocol/api/run.ts';
import type { Queryable } from './connection/queryable.ts';
import { listRoundViews, listScriptExecutions, type RoundView } from './round-views.ts';

/** A Run with all that is stored of its progress; what only connected Agents know is not in it. */
export type RunView = Omit<RunDetail, 'rounds' | 'missingAgents' | 'scatteredAgents' | 'diskProblem'> & {
  rounds: RoundView[];
};

interface RunRow {
  id: string;
  evaluation_id: string;
  evaluation_name: string;
  state: RunState;
  problem: string | null;
  created_at: Date;
  paused_at: Date | null;
  paused_ms: number;
  started_at: Date | null;
  ended_at: Date | null;
  rounds_planned: number;
  rounds_completed: number;
  visits: number;
  failed_visits: number;
}

const summary = `
  select run.id, evaluation_id, run.document ->> 'name' as evaluation_name, run.state, run.problem, run.paused_at, run.paused_ms::float8 as paused_ms, run.created_at, run.started_at,
    run.ended_at, rounds_planned, done.rounds_completed, made.visits, made.failed_visits
  from run
  cross join lateral (
    select count(*)::int as rounds_completed from round where round.run_id = run.id and round.state = 'completed') done
  cross join lateral (
    select count(*)::int as visits, (count(*) filter (where visit.status = 'failed'))::int as failed_visits
    from round join pass on pass.round_id = round.id join visit on visit.pass_id = pass.id
    where round.run_id = run.id) made`;

/** The newest Runs first, at most `limit`, older than the Run `before` where one is named. */
export async function listRuns(
  db: Queryable,
  page: { before: string | null; withTries: boolean; limit: number },
): Promise<RunSummary[]> {
  const { rows } = await db.query<RunRow>(
    `${summary} where ($1::bigint is null or run.id < $1) and ($2 or not is_try) order by run.id desc limit $3`,
    [page.before, page.withTries, page.limit],
  );
  return rows.map(toRunSummary);
}

/** The newest Run of each Evaluation that has one, by the id of the Evaluation. */
export async function findLastRuns(db: Queryable): Promise<Map<string, RunSummary>> {
  const { rows } = await db.query<RunRow>(
    `${summary} where run.id in (select max(id) from run group by evaluation_id)`,
  );
  return new Map(rows.map((row) => [row.evaluation_id, toRunSummary(row)]));
}

export async function findRunSummary(db: Queryable, runId: string): Promise<RunSummary | null> {
  const { rows } = await db.query<RunRow>(`${summary} where run.id = $1`, [runId]);
  return rows[0] ? toRunSummary(rows[0]) : null;
}

export async function findRunView(db: Queryable, runId: string): Promise<RunView | null> {
  const found = await findRunSummary(db, runId);
  if (!found) return null;
  const { rows } = await db.query<{ seed: string; document: unknown }>('select seed, document from run where id = $1', [
    runId,
  ]);
  const seed = Number(rows[0]!.seed);
  const evaluation = EvaluationSchema.parse(rows[0]!.document);
  return {
    ...found,
    seed,
    evaluation,
    // Of a Run that its stop rule ends, as far as it is expected to go.
    plan: expandEvaluation(evaluation, seed).slice(0, Math.max(found.roundsPlanned, found.roundsCompleted)),
    rounds: await listRoundViews(db, runId),
    scripts: await listScriptExecutions(db, runId),
  };
}

function toRunSummary(row: RunRow): RunSummary {
  return {
    id: row.id,
    evaluationId: row.evaluation_id,
    evaluationName: row.evaluation_name,
    state: row.state,
    problem: row.problem,
    pausedAt: row.paused_at?.toISOString() ?? null,
    pausedMs: row.paused_ms,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    roundsPlanned: row.rounds_planned,
    roundsCompleted: row.rounds_completed,
    visits: row.visits,
    failedVisits: row.failed_visits,
  };
}
