import type { PlannedRound } from '#core/evaluation/rounds/expand-evaluation.ts';
import type { RoundState, ScriptExecution } from '#core/protocol/api/run.ts';
import type { HostLoad } from '#core/protocol/host-load.ts';
import type { LinkCheck } from '#core/protocol/link-check.ts';
import type { NetworkFigure } from '#core/protocol/network-figure.ts';
import type { StartSkew } from '#core/protocol/start-skew.ts';
import type { Queryable } from '../database/queryable.ts';
import { countVisitsOfPass } from './round-views.ts';
import { LeaseLostError, type OwnedRun } from './stored-runs.ts';
import { formatStorableJson } from '../database/storable-json.ts';

export interface PlannedCapturePoint {
  id: string;
  name: string;
  agent: string;
  interface: string;
  filter: string;
}

export interface PlannedPass {
  id: string;
  userAgent: string;
  agent: string;
  visitsExpected: number;
  /** As the Agent reports it; null where it does not. */
  engineVersion?: string | null;
}

/** The Run while this Controller owns it: $1 its id, $2 the epoch. It is locked, so that a claim of another Controller comes before the statement or after it. */
const owned = 'owned as (select id from run where id = $1 and epoch = $2 for share)';

/** Writes with `owned`. The values begin at $3. Throws LeaseLostError when no row was written. */
async function writeOwned(
  db: Queryable,
  run: OwnedRun,
  { text, values }: { text: string; values: readonly unknown[] },
): Promise<void> {
  const { rowCount } = await db.query(text, [run.id, run.epoch, ...values]);
  if (rowCount === 0) throw new LeaseLostError(run.id);
}

/** Stores a new try of a planned Round with its Passes and Capture Points; to repeat it changes nothing. Throws LeaseLostError. */
export async function createRound(
  db: Queryable,
  run: OwnedRun,
  round: {
    id: string;
    planned: Omit<PlannedRound, 'addition'>;
    passes: PlannedPass[];
    capturePoints?: PlannedCapturePoint[];
  },
): Promise<void> {
  const { capturePoints = [] } = round;
  const { index, block, scenario, warmUp } = round.planned;
  const { rows } = await db.query<{ owned: number }>(
    `with ${owned},
     created as (
       insert into round (id, run_id, index, block, scenario, warm_up, attempt)
       select $3, owned.id, $4, $5, $6, $7, 1 + (select count(*) from round where run_id = $1 and index = $4 and id <> $3)
       from owned on conflict (id) do nothing),
     passes as (
       insert into pass (id, round_id, user_agent, agent, visits_expected, engine_version)
       select pass.id, $3, user_agent, agent, visits_expected, engine_version
       from owned, unnest($8::uuid[], $9::text[], $10::text[], $11::int[], $12::text[]) as pass (id, user_agent, agent, visits_expected, engine_version)
       on conflict (id) do nothing),
     capture_points as (
       insert into capture_point (id, round_id, name, agent, interface, filter)
       select point.id, $3, point.name, agent, interface, filter
       from owned, unnest($13::uuid[], $14::text[], $15::text[], $16::text[], $17::text[]) as point (id, name, agent, interface, filter)
       on conflict (id) do nothing)
     select count(*)::int as owned from owned`,
    [
      run.id,
      run.epoch,
      round.id,
      index,
      block,
      scenario,
      warmUp,
      round.passes.map((pass) => pass.id),
      round.passes.map((pass) => pass.userAgent),
      round.passes.map((pass) => pass.agent),
      round.passes.map((pass) => pass.visitsExpected),
      round.passes.map((pass) => pass.engineVersion ?? null),
      capturePoints.map((point) => point.id),
      capturePoints.map((point) => point.name),
      capturePoints.map((point) => point.agent),
      capturePoints.map((point) => point.interface),
      capturePoints.map((point) => point.filter),
    ],
  );
  if (rows[0]?.owned !== 1) throw new LeaseLostError(run.id);
}

/** Throws LeaseLostError. */
export async function setRoundState(
  db: Queryable,
  run: OwnedRun,
  round: { id: string; state: RoundState; problem?: string },
): Promise<void> {
  await writeOwned(db, run, {
    text: `with ${owned}
     update round set state = $4, problem = $5, ended_at = case when $4 in ('completed', 'broken') then now() end
     from owned where round.id = $3 and run_id = owned.id`,
    values: [round.id, round.state, round.problem ?? null],
  });
}

/** A Pass as its Agent reports it. */
export interface PassChange {
  id: string;
  state: 'ready' | 'running' | 'ended' | 'completed' | 'lost';
  /** It began to load since the change before. */
  hasStarted?: boolean;
  problem?: string;
  load?: HostLoad;
}

/** Each Pass once. Throws LeaseLostError. */
export async function setPassStates(db: Queryable, run: OwnedRun, passes: readonly PassChange[]): Promise<void> {
  await writeOwned(db, run, {
    text: `with ${owned}
     update pass set state = change.state, problem = change.problem, host_load = coalesce(load, host_load), started_at = case when has_started then now() else started_at end
     from round, owned, unnest($3::uuid[], $4::text[], $5::boolean[], $6::text[], $7::jsonb[]) as change (id, state, has_started, problem, load)
     where pass.id = change.id and round.id = round_id and run_id = owned.id`,
    values: [
      passes.map(({ id }) => id),
      passes.map(({ state }) => state),
      passes.map(({ hasStarted = false }) => hasStarted),
      passes.map(({ problem = null }) => problem),
      passes.map(({ load }) => (load ? formatStorableJson(load) : null)),
    ],
  });
}

/** Of each Pass of a Round: how many Visits are stored. */
export async function countStoredVisits(db: Queryable, roundId: string): Promise<Map<string, number>> {
  const { rows } = await db.query<{ id: string; stored: number }>(
    `select pass.id, count(visit.id)::int as stored
     from pass left join visit on visit.pass_id = pass.id where pass.round_id = $1 group by pass.id`,
    [roundId],
  );
  return new Map(rows.map((row) => [row.id, row.stored]));
}

/** Throws LeaseLostError. */
export async function storeLinkCheck(
  db: Queryable,
  run: OwnedRun,
  { roundId, check }: { roundId: string; check: LinkCheck },
): Promise<void> {
  await writeOwned(db, run, {
    text: `with ${owned} update round set link_check = $4 from owned where round.id = $3 and run_id = owned.id`,
    values: [roundId, JSON.stringify(check)],
  });
}

/** Adds what the network did during a Round to its link check. Throws LeaseLostError. */
export async function storeNetworkFigures(
  db: Queryable,
  run: OwnedRun,
  { roundId, figures }: { roundId: string; figures: readonly NetworkFigure[] },
): Promise<void> {
  await writeOwned(db, run, {
    text: `with ${owned} update round set link_check = link_check || jsonb_build_object('during', $4::jsonb)
     from owned where round.id = $3 and run_id = owned.id`,
    values: [roundId, formatStorableJson(figures)],
  });
}

/** Completes a Round and its Passes in one, and stores what became of the Visits of each. Throws LeaseLostError. */
export async function completeRound(db: Queryable, run: OwnedRun, round: StartSkew & { id: string }): Promise<void> {
  await writeOwned(db, run, {
    text: `with ${owned},
     counted as (
       select pass.id, made.* from pass cross join lateral (${countVisitsOfPass('true')}) made where pass.round_id = $3),
     passes as (
       update pass set state = 'completed', visits_made = counted.made, visits_failed = counted.failed, visits_unsettled = counted.unsettled, failures = counted.failures
       from counted, round, owned where pass.id = counted.id and round.id = $3 and run_id = owned.id)
     update round set state = 'completed', problem = null, ended_at = now(),
       start_skew_ms = $4, start_skew_error_ms = $5, first_packet_skew_ms = $6, first_packet_skew_error_ms = $7,
       first_request_skew_ms = $8, first_request_skew_error_ms = $9, page_skew_ms = $10, page_skew_error_ms = $11
     from owned where round.id = $3 and run_id = owned.id`,
    values: [
      round.id,
      round.startSkewMs,
      round.startSkewErrorMs,
      round.firstPacketSkewMs,
      round.firstPacketSkewErrorMs,
      round.firstRequestSkewMs,
      round.firstRequestSkewErrorMs,
      round.pageSkewMs,
      round.pageSkewErrorMs,
    ],
  });
}

/** The Passes of a Round, and the Agents that were to make them. */
export async function readPassAgents(db: Queryable, roundId: string): Promise<{ id: string; agent: string }[]> {
  const { rows } = await db.query<{ id: string; agent: string }>('select id, agent from pass where round_id = $1', [
    roundId,
  ]);
  return rows;
}

/** Which of these Passes are of a Round under way. */
export async function findOpenPasses(db: Queryable, passIds: string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(
    `select pass.id from pass join round on round.id = round_id where pass.id = any($1) and round.state not in ('completed', 'broken')`,
    [passIds],
  );
  return new Set(rows.map((row) => row.id));
}

/** The planned Rounds of a Run that are completed, by index, and those that a Controller left unfinished. */
export async function readRounds(
  db: Queryable,
  runId: string,
): Promise<{ id: string; index: number; scenario: string; state: RoundState }[]> {
  const { rows } = await db.query<{ id: string; index: number; scenario: string; state: RoundState }>(
    'select id, index, scenario, state from round where run_id = $1 order by created_at',
    [runId],
  );
  return rows;
}

/** Stores what a script did with its Round, and in the audit log who had it run, in one; to repeat it changes nothing. */
export async function storeScriptExecution(
  db: Queryable,
  execution: ScriptExecution & { id: string; script: string },
): Promise<void> {
  const {
    id,
    roundId,
    phase,
    name = null,
    host,
    script,
    exitCode,
    isTimedOut,
    durationMs,
    output,
    problem = null,
  } = execution;
  await db.query(
    `with executed as (
       insert into script_execution (id, round_id, phase, host, script, exit_code, is_timed_out, duration_ms, output, name, problem)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing
       returning *, sha256(convert_to(script, 'UTF8')) as script_sha256),
     kept as (
       insert into audit_script (sha256, script) select script_sha256, script from executed on conflict do nothing)
     insert into audit_entry (actor, action, subject, details, script_sha256)
     select coalesce(run.requested_by, 'unknown'), 'script-run', 'Run ' || run.id || ' on ' || executed.host,
       jsonb_build_object('run', run.id::text, 'round', round.id, 'scenario', round.scenario, 'phase', executed.phase, 'host', executed.host,
         'exitCode', executed.exit_code, 'isTimedOut', executed.is_timed_out),
       script_sha256
     from executed join round on round.id = executed.round_id join run on run.id = round.run_id`,
    [id, roundId, phase, host, script, exitCode, isTimedOut, durationMs, output, name, problem],
  );
}
