import type { PassState, RoundProgress, RoundState, ScriptExecution } from '#core/protocol/api/run.ts';
import type { ShownPasses } from '#core/protocol/api/run-contents.ts';
import type { HostLoad } from '#core/protocol/host-load.ts';
import type { Queryable } from '../database/queryable.ts';

/** A Pass as stored; `visitsMade` counts what was uploaded. */
export interface PassView {
  id: string;
  userAgent: string;
  agent: string;
  state: PassState;
  visitsExpected: number;
  visitsMade: number;
  visitsFailed: number;
  visitsUnsettled: number;
  visitsRefused: number;
  failures: RoundProgress['passes'][number]['failures'];
  problem: string | null;
  hostLoad: HostLoad | null;
  /** Null when none is stored; `absence`: why it is one without packets, null when it has them. */
  capture: { absence: string | null } | null;
}

export type RoundView = Omit<RoundProgress, 'passes'> & { passes: PassView[] };

interface RoundRow {
  id: string;
  index: number;
  block: number;
  scenario: string;
  warm_up: boolean;
  attempt: number;
  state: RoundState;
  problem: string | null;
  start_skew_ms: number | null;
  start_skew_error_ms: number | null;
  first_packet_skew_ms: number | null;
  first_packet_skew_error_ms: number | null;
  first_request_skew_ms: number | null;
  first_request_skew_error_ms: number | null;
  page_skew_ms: number | null;
  page_skew_error_ms: number | null;
  link_check: RoundProgress['linkCheck'];
}

interface PassRow {
  id: string;
  round_id: string;
  user_agent: string;
  agent: string;
  state: PassState;
  visits_expected: number;
  visits_made: number;
  visits_failed: number;
  visits_unsettled: number;
  visits_refused: number;
  failures: PassView['failures'];
  problem: string | null;
  host_load: HostLoad | null;
  has_capture: boolean;
  capture_absence: string | null;
}

interface PointRow {
  id: string;
  round_id: string;
  name: string;
  agent: string;
  interface: string;
  filter: string;
}

/**
 * The tried Rounds of a Run in the order in which they were tried, with their Capture Points, and with the Passes of all of them or of those that are shown first. What is long of a Capture is not read where it has a
 * trace: this is requested often.
 */
export async function listRoundViews(db: Queryable, runId: string, whose: ShownPasses): Promise<RoundView[]> {
  const { rows: rounds } = await db.query<RoundRow>(
    `select id, index, block, scenario, warm_up, attempt, state, problem, start_skew_ms, start_skew_error_ms, first_packet_skew_ms, first_packet_skew_error_ms, first_request_skew_ms, first_request_skew_error_ms, page_skew_ms, page_skew_error_ms, link_check
     from round where run_id = $1 order by index, attempt`,
    [runId],
  );
  const passesByRound = await readPassViews(db, runId, listShown(rounds, whose));
  const totals = await readTotals(db, runId);
  const { rows: points } = await db.query<PointRow>(
    `select capture_point.id, round_id, name, agent, interface, filter
     from capture_point join round on round.id = round_id where run_id = $1 order by name`,
    [runId],
  );
  const pointsByRound = Map.groupBy(points, (point) => point.round_id);
  return rounds.map(
    ({
      warm_up,
      start_skew_ms,
      start_skew_error_ms,
      first_packet_skew_ms,
      first_packet_skew_error_ms,
      first_request_skew_ms,
      first_request_skew_error_ms,
      page_skew_ms,
      page_skew_error_ms,
      link_check,
      ...round
    }) => ({
      ...round,
      warmUp: warm_up,
      startSkewMs: start_skew_ms,
      startSkewErrorMs: start_skew_error_ms,
      firstPacketSkewMs: first_packet_skew_ms,
      firstPacketSkewErrorMs: first_packet_skew_error_ms,
      firstRequestSkewMs: first_request_skew_ms,
      firstRequestSkewErrorMs: first_request_skew_error_ms,
      pageSkewMs: page_skew_ms,
      pageSkewErrorMs: page_skew_error_ms,
      linkCheck: link_check,
      totals: totals.get(round.id) ?? noVisits,
      passes: passesByRound.get(round.id) ?? [],
      capturePoints: (pointsByRound.get(round.id) ?? []).map(({ id, name, agent, interface: device, filter }) => ({
        id,
        name,
        agent,
        interface: device,
        filter,
      })),
    }),
  );
}

/** One Round of a Run with its Passes; null when it has none of this id. */
export async function findRoundView(
  db: Queryable,
  { runId, roundId }: { runId: string; roundId: string },
): Promise<RoundView | null> {
  const rounds = await listRoundViews(db, runId, 'current');
  const found = rounds.find(({ id }) => id === roundId);
  return found ? { ...found, passes: (await readPassViews(db, runId, [roundId])).get(roundId) ?? [] } : null;
}

/** By Round, of these Rounds. */
async function readPassViews(db: Queryable, runId: string, roundIds: string[]): Promise<Map<string, PassView[]>> {
  const { rows: passes } = await db.query<PassRow>(
    `with passes as (${countedPasses} and round.id = any($2))
     select pass.id, round_id, user_agent, agent, state, visits_expected, problem, host_load, made as visits_made, failed as visits_failed, unsettled as visits_unsettled, codes as failures,
       (select count(*)::int from refused_visit where refused_visit.pass_id = pass.id) as visits_refused,
       capture.id is not null as has_capture, case when trace_sha256 is null then outcome->>'reason' end as capture_absence
     from passes pass left join capture on capture.pass_id = pass.id order by user_agent`,
    [runId, roundIds],
  );
  return new Map([...Map.groupBy(passes, (pass) => pass.round_id)].map(([id, own]) => [id, own.map(toPassView)]));
}

/** The ids of the Rounds whose Passes are read: of `current`, the tries of the last Round, and what is under way. */
function listShown(rounds: readonly RoundRow[], whose: ShownPasses): string[] {
  const last = rounds.at(-1)?.index;
  return rounds
    .filter(({ index, state }) => whose === 'all' || index === last || (state !== 'completed' && state !== 'broken'))
    .map(({ id }) => id);
}

type Totals = RoundProgress['totals'];
const noVisits: Totals = { visitsMade: 0, visitsFailed: 0, visitsUnsettled: 0, visitsRefused: 0, failures: {} };

/** What became of the Visits of each Round, by its id. */
async function readTotals(db: Queryable, runId: string): Promise<Map<string, Totals>> {
  const { rows } = await db.query<Totals & { round_id: string }>(
    `with passes as (${countedPasses}),
     total as (
       select round_id, sum(made)::int as made, sum(failed)::int as failed, sum(unsettled)::int as unsettled from passes group by round_id),
     refused as (
       select round_id, count(*)::int as visits from refused_visit join passes on passes.id = refused_visit.pass_id group by round_id),
     by_code as (
       select round_id, jsonb_object_agg(code, visits) as failures
       from (
         select round_id, code, sum(visits::int)::int as visits
         from passes cross join jsonb_each_text(codes) as each (code, visits) where codes <> '{}' group by round_id, code) of_code
       group by round_id)
     select round_id, made as "visitsMade", failed as "visitsFailed", unsettled as "visitsUnsettled",
       coalesce(refused.visits, 0) as "visitsRefused", coalesce(failures, '{}') as failures
     from total left join refused using (round_id) left join by_code using (round_id)`,
    [runId],
  );
  return new Map(rows.map(({ round_id: id, ...totals }) => [id, totals]));
}

function toPassView(row: PassRow): PassView {
  return {
    id: row.id,
    userAgent: row.user_agent,
    agent: row.agent,
    state: row.state,
    visitsExpected: row.visits_expected,
    visitsMade: row.visits_made,
    visitsFailed: row.visits_failed,
    visitsUnsettled: row.visits_unsettled,
    visitsRefused: row.visits_refused,
    failures: row.failures,
    problem: row.problem,
    hostLoad: row.host_load,
    capture: row.has_capture ? { absence: row.capture_absence } : null,
  };
}

interface ScriptRow {
  round_id: string;
  phase: ScriptExecution['phase'];
  name: string | null;
  host: string;
  exit_code: number | null;
  is_timed_out: boolean;
  duration_ms: number;
  output: string;
  problem: string | null;
}

/** The script executions of a Run in the order in which they ended. */
export async function listScriptExecutions(db: Queryable, runId: string): Promise<ScriptExecution[]> {
  const { rows } = await db.query<ScriptRow>(
    `select round_id, phase, name, host, exit_code, is_timed_out, duration_ms, output, script_execution.problem
     from script_execution join round on round.id = round_id where run_id = $1 order by script_execution.ended_at, script_execution.id`,
    [runId],
  );
  return rows.map((row) => ({
    roundId: row.round_id,
    phase: row.phase,
    ...(row.name !== null && { name: row.name }),
    host: row.host,
    exitCode: row.exit_code,
    isTimedOut: row.is_timed_out,
    durationMs: row.duration_ms,
    output: row.output,
    ...(row.problem !== null && { problem: row.problem }),
  }));
}

/** What became of the Visits of the `pass` of a statement: `made`, `failed`, `unsettled`, and `failures` by code. They are read only where the condition holds; it is SQL of this program. */
export function countVisitsOfPass(condition: string): string {
  return `
    select coalesce(sum(visits), 0)::int as made, coalesce(sum(visits) filter (where code is not null), 0)::int as failed,
      coalesce(sum(unsettled), 0)::int as unsettled, coalesce(jsonb_object_agg(code, visits) filter (where code is not null), '{}') as failures
    from (
      select code, count(*)::int as visits, (count(*) filter (where not is_settled))::int as unsettled
      from visit where visit.pass_id = pass.id and ${condition} group by code) by_code`;
}

/** The Passes of a Run ($1) with `made`, `failed`, `unsettled` and `failures`: as stored with their Round, or else counted. */
export const countedPasses = `
  select pass.*, coalesce(pass.visits_made, counted.made) as made, coalesce(pass.visits_failed, counted.failed) as failed,
    coalesce(pass.visits_unsettled, counted.unsettled) as unsettled, coalesce(pass.failures, counted.failures) as codes
  from round join pass on pass.round_id = round.id cross join lateral (${countVisitsOfPass('pass.visits_made is null')}) counted
  where round.run_id = $1`;
