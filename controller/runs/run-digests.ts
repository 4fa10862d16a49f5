import { trendVersion, type RunTrend } from '#core/comparison/outcome/summarise-trend.ts';
import { outcomeVersion } from '#core/comparison/outcome/summarise-outcome.ts';
import type { RunOutcome } from '#core/comparison/outcome/run-outcome.ts';
import { metricsVersion } from '#core/metrics/index.ts';
import { formatStorableJson } from '../database/storable-json.ts';
import type { Queryable } from '../database/queryable.ts';

/** How digests are made now: those that were made in another way are made again. */
export const digestDefinition = `metrics ${metricsVersion}, outcome ${outcomeVersion}, trend ${trendVersion}`;

/** Whether `digest` is that of `run` as it is now, or was before its Visits were deleted. Both are names of tables in a statement, and $1 is `digestDefinition`. */
export const isCurrentDigest = `digest.run_id = run.id and (run.visits_deleted_at is not null
  or digest.revision = run.revision and digest.ended_at = run.ended_at and digest.definition = $1)`;

/** The state of a Run that a digest is of; `endedAt` as PostgreSQL writes it, with microseconds. */
export interface DigestedState {
  runId: string;
  revision: number;
  endedAt: string;
  visits: number;
  failedVisits: number;
  /** That of a completed Run, against which its reductions are held; null where it has none. */
  threshold: number | null;
}

/** What is counted for the digest of a Run; null while the Run is open, and once its Visits were deleted. Read it in the same snapshot of the database as the Comparison. */
export async function readDigestedState(db: Queryable, runId: string): Promise<DigestedState | null> {
  const { rows } = await db.query<DigestedState>(
    `select run.id as "runId", revision, run.ended_at::text as "endedAt", made.visits, made."failedVisits",
       case when run.state = 'completed' and not run.is_try then (run.document -> 'trend' ->> 'threshold')::float8 end as threshold
     from run cross join lateral (
       select count(*)::int as visits, (count(*) filter (where visit.status = 'failed'))::int as "failedVisits"
       from round join pass on pass.round_id = round.id join visit on visit.pass_id = pass.id
       where round.run_id = run.id) made
     where run.id = $1 and run.ended_at is not null and run.visits_deleted_at is null`,
    [runId],
  );
  return rows[0] ?? null;
}

export async function storeDigest(
  db: Queryable,
  state: DigestedState,
  { outcome, trend }: { outcome: RunOutcome; trend: RunTrend },
): Promise<void> {
  await db.query(
    `insert into run_digest (run_id, revision, ended_at, definition, visits, failed_visits, outcome, trend) values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (run_id) do update set revision = excluded.revision, ended_at = excluded.ended_at, definition = excluded.definition,
       visits = excluded.visits, failed_visits = excluded.failed_visits, outcome = excluded.outcome, trend = excluded.trend`,
    [
      state.runId,
      state.revision,
      state.endedAt,
      digestDefinition,
      state.visits,
      state.failedVisits,
      formatStorableJson(outcome),
      formatStorableJson(trend),
    ],
  );
}

/** A Run that has ended and has no digest of what it is now. */
export interface UndigestedRun {
  id: string;
  /** Another one for each state of a Run. */
  key: string;
}

/** A Round is under way, or the next one is about to begin. */
export const isMeasuring = `
  select from run measured where state in ('running', 'stopping') and paused_at is null and (started_at > now() - interval '10 s'
    or exists (select from round where run_id = measured.id and (round.ended_at is null or round.ended_at > now() - interval '10 s')))`;

/** The same of Runs with an Agent that may be on the machine $3. */
const isMeasuringHere = `${isMeasuring}
  and ($3::text is null or agents is null
    or exists (select from unnest(agents) as needed (name) left join agent using (name) where machine is null or machine = $3))`;

/** The newest of them whose key is not in `except`; null when there is none, and while an Agent measures on this machine: computing would disturb it. */
export async function findUndigestedRun(
  db: Queryable,
  { except, machineId }: { except: readonly string[]; machineId: string | null },
): Promise<UndigestedRun | null> {
  const { rows } = await db.query<UndigestedRun>(
    `select id, key
     from (select run.*, concat_ws(' ', run.id, revision, ended_at) as key from run where ended_at is not null and not is_try and deleted_at is null) run
     where not exists (${isMeasuringHere})
       and not exists (select from run_digest digest where ${isCurrentDigest})
       and key <> all ($2::text[])
     order by id desc limit 1`,
    [digestDefinition, except, machineId],
  );
  return rows[0] ?? null;
}
