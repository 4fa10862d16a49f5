import { RunOutcomeSchema } from '#core/comparison/outcome/run-outcome.ts';
import type { RunSummary } from '#core/protocol/api/run-summary.ts';
import { fromRow, type Queryable, type RowOf } from '../database/queryable.ts';
import { digestDefinition, isCurrentDigest } from './run-digests.ts';
import { explainWaiting } from './run-queue.ts';

export type RunRow = RowOf<RunSummary>;

/** The columns of a `RunRow`, from `runsWithDigests`. */
export const summaryColumns = `run.id, run.evaluation_id as "evaluationId", run.name as "evaluationName", (select changed_from_run from evaluation where evaluation.id = run.evaluation_id) as "changedFromRun", run.state, run.problem,
  run.paused_at as "pausedAt", run.paused_ms::float8 as "pausedMs", run.created_at as "createdAt", run.started_at as "startedAt",
  coalesce(run.ended_at, (select ended_before from added_rounds where run_id = run.id and added_rounds.started_at is null)) as "endedAt",
  run.rounds_planned as "roundsPlanned", done.rounds_completed as "roundsCompleted", coalesce(digest.visits, made.visits) as visits,
  coalesce(digest.failed_visits, made.failed_visits) as "failedVisits", digest.outcome, run.snapshots_deleted_at as "snapshotsDeletedAt", run.visits_deleted_at as "visitsDeletedAt",
  run.labels, array[]::text[] as "waitsFor", run.tags, run.note`;

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
  return new Map(rows.map((row) => [row.evaluationId, toRunSummary(row)]));
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
  return { ...fromRow<RunSummary>(row), outcome: row.outcome === null ? null : readOutcome(row) };
}

/** That of a Run without Visits cannot be made again: what an earlier version wrote may be of another form. */
function readOutcome({ outcome, visitsDeletedAt }: RunRow): RunSummary['outcome'] {
  return visitsDeletedAt === null
    ? RunOutcomeSchema.parse(outcome)
    : (RunOutcomeSchema.safeParse(outcome).data ?? null);
}
