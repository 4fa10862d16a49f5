import type { PassState, RoundProgress, RoundState, ScriptExecution } from '#core/protocol/api/run.ts';
import type { HostLoad } from '#core/protocol/host-load.ts';
import type { Queryable } from './connection/queryable.ts';

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

/** The tried Rounds of a Run in the order in which they were tried, with their Passes and Capture Points. What is long of a Capture is not read where it has a trace: this is requested often. */
export async function listRoundViews(db: Queryable, runId: string): Promise<RoundView[]> {
  const { rows: rounds } = await db.query<RoundRow>(
    `select id, index, block, scenario, warm_up, attempt, state, problem, start_skew_ms, start_skew_error_ms, first_packet_skew_ms, first_packet_skew_error_ms, link_check
     from round where run_id = $1 order by index, attempt`,
    [runId],
  );
  const { rows: passes } = await db.query<PassRow>(
    `select pass.id, round_id, user_agent, agent, pass.state, visits_expected, pass.problem, host_load, visits_made, visits_failed, visits_unsettled, failures,
       (select count(*)::int from refused_visit where refused_visit.pass_id = pass.id) as visits_refused,
       capture.id is not null as has_capture, case when trace_sha256 is null then outcome->>'reason' end as capture_absence
     from pass join round on round.id = pass.round_id left join capture on capture.pass_id = pass.id
     cross join lateral (
       select coalesce(sum(visits), 0)::int as visits_made, coalesce(sum(visits) filter (where code is not null), 0)::int as visits_failed, coalesce(sum(unsettled), 0)::int as visits_unsettled,
         coalesce(jsonb_object_agg(code, visits) filter (where code is not null), '{}') as failures
       from (
         select code, count(*)::int as visits, (count(*) filter (where not is_settled))::int as unsettled
         from visit where visit.pass_id = pass.id group by code) by_code) made
     where run_id = $1 order by user_agent`,
    [runId],
  );
  const { rows: points } = await db.query<PointRow>(
    `select capture_point.id, round_id, name, agent, interface, filter
     from capture_point join round on round.id = round_id where run_id = $1 order by name`,
    [runId],
  );
  const pointsByRound = Map.groupBy(points, (point) => point.round_id);
  const passesByRound = Map.groupBy(passes, (pass) => pass.round_id);
  return rounds.map(
    ({
      warm_up,
      start_skew_ms,
      start_skew_error_ms,
      first_packet_skew_ms,
      first_packet_skew_error_ms,
      link_check,
      ...round
    }) => ({
      ...round,
      warmUp: warm_up,
      startSkewMs: start_skew_ms,
      startSkewErrorMs: start_skew_error_ms,
      firstPacketSkewMs: first_packet_skew_ms,
      firstPacketSkewErrorMs: first_packet_skew_error_ms,
      linkCheck: link_check,
      passes: (passesByRound.get(round.id) ?? []).map(toPassView),
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
