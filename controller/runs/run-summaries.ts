import { RunOutcomeSchema } from '#core/comparison/outcome/run-outcome.ts';
import type { RunState, RunSummary } from '#core/protocol/api/run-summary.ts';
import type { RunLabels } from '#core/protocol/api/run-labels.ts';
import type { Queryable } from '../database/queryable.ts';
import { digestDefinition, isCurrentDigest } from './run-digests.ts';
import { explainWaiting } from './run-queue.ts';

export interface RunRow {
  id: string;
  evaluation_id: string;
  name: string;
  changed_from_run: string | null;
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
  outcome: unknown;
  snapshots_deleted_at: Date | null;
  visits_deleted_at: Date | null;
  labels: RunLabels;
  tags: string[];
  note: string;
}

/** The columns of a `RunRow`, from `runsWithDigests`. */
export const summaryColumns = `run.id, run.evaluation_id, run.name, (select changed_from_run from evaluation where evaluation.id = run.evaluation_id) as changed_from_run, run.state, run.problem, run.created_at, run.paused_at, run.paused_ms::float8 as paused_ms,
  run.started_at, coalesce(run.ended_at, (select ended_before from added_rounds where run_id = run.id and added_rounds.started_at is null)) as ended_at,
  run.rounds_planned, done.rounds_completed, coalesce(digest.visits, made.visits) as visits,
  coalesce(digest.failed_visits, made.failed_visits) as failed_visits, digest.outcome, run.snapshots_deleted_at, run.visits_deleted_at, run.labels, run.tags, run.note`;

/** Of the `run` of a statement. Only the Visits of Rounds that are not completed are counted, and those of Rounds that were completed before Passes had counts. */
export const visitsOfRun = `
  select coalesce(sum(coalesce(pass.visits_made, counted.visits)), 0)::int as visits, coalesce(sum(coalesce(pass.visits_failed, counted.failed_visits)), 0)::int as failed_visits
  from round join pass on pass.round_id = round.id
  cross join lateral (
    select count(*)::int as visits, (count(*) filter (where visit.status = 'failed'))::int as failed_visits
    from visit where visit.pass_id = pass.id and pass.visits_made is null) counted
  where round.run_id = run.id`;

/** $1 is `digestDefinition`. The Passes of a Run are read only as long as it has no digest. */
export const runsWithDigests = `
  run left join run_digest digest on ${isCurrentDigest}
  cross join lateral (
    select count(*)::int as rounds_completed from round where round.run_id = run.id and round.state = 'completed') done
  left join lateral (${visitsOfRun} and digest.run_id is null) made on digest.run_id is null`;

/** The newest Run of each Evaluation that has one, by the id of the Evaluation. */
export async function findLastRuns(db: Queryable): Promise<Map<string, RunSummary>> {
  const { rows } = await db.query<RunRow>(
    `select ${summaryColumns} from ${runsWithDigests} where run.id in (select max(id) from run where deleted_at is null group by evaluation_id)`,
    [digestDefinition],
  );
  const runs = await explainWaiting(db, rows.map(toRunSummary));
  return new Map(runs.map((run) => [run.evaluationId, run]));
}

/** The newest completed Run of each Evaluation that has one with a known outcome, by the id of the Evaluation. */
export async function findLastResults(db: Queryable): Promise<Map<string, RunSummary>> {
  const { rows } = await db.query<RunRow>(
    `select ${summaryColumns} from ${runsWithDigests}
     where run.id in (
       select max(run.id) from run join run_digest digest on ${isCurrentDigest} where state = 'completed' and deleted_at is null group by evaluation_id)`,
    [digestDefinition],
  );
  return new Map(rows.map((row) => [row.evaluation_id, toRunSummary(row)]));
}

export async function findRunSummary(db: Queryable, runId: string): Promise<RunSummary | null> {
  const { rows } = await db.query<RunRow>(
    `select ${summaryColumns} from ${runsWithDigests} where run.id = $2 and deleted_at is null`,
    [digestDefinition, runId],
  );
  return (await explainWaiting(db, rows.map(toRunSummary)))[0] ?? null;
}

/** What it waits for is not in the row: see `explainWaiting`. */
export function toRunSummary(row: RunRow): RunSummary {
  return {
    id: row.id,
    evaluationId: row.evaluation_id,
    evaluationName: row.name,
    changedFromRun: row.changed_from_run,
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
    outcome: row.outcome === null ? null : readOutcome(row),
    snapshotsDeletedAt: row.snapshots_deleted_at?.toISOString() ?? null,
    visitsDeletedAt: row.visits_deleted_at?.toISOString() ?? null,
    labels: row.labels,
    waitsFor: [],
    tags: row.tags,
    note: row.note,
  };
}

/** That of a Run without Visits cannot be made again: what an earlier version wrote may be of another form. */
function readOutcome({ outcome, visits_deleted_at }: RunRow): RunSummary['outcome'] {
  return visits_deleted_at === null
    ? RunOutcomeSchema.parse(outcome)
    : (RunOutcomeSchema.safeParse(outcome).data ?? null);
}
