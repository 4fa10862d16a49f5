import type { PassState, RoundProgress, ScriptExecution } from '#core/protocol/api/run.ts';
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

/** The columns of a Round that are its StartSkew. */
export const skewColumns = `start_skew_ms as "startSkewMs", start_skew_error_ms as "startSkewErrorMs",
  first_packet_skew_ms as "firstPacketSkewMs", first_packet_skew_error_ms as "firstPacketSkewErrorMs",
  first_request_skew_ms as "firstRequestSkewMs", first_request_skew_error_ms as "firstRequestSkewErrorMs",
  page_skew_ms as "pageSkewMs", page_skew_error_ms as "pageSkewErrorMs"`;

type RoundRow = Omit<RoundView, 'totals' | 'passes' | 'capturePoints'>;

/**
 * The tried Rounds of a Run in the order in which they were tried, with their Capture Points, and with the Passes of all of them or of those that are shown first. What is long of a Capture is not read where it has a
 * trace: this is requested often.
 */
export async function listRoundViews(db: Queryable, runId: string, whose: ShownPasses): Promise<RoundView[]> {
  const { rows: rounds } = await db.query<RoundRow>(
    `select id, index, block, scenario, attempt, state, problem, warm_up as "warmUp", ${skewColumns}, link_check as "linkCheck"
     from round where run_id = $1 order by index, attempt`,
    [runId],
  );
  const passesByRound = await readPassViews(db, runId, listShown(rounds, whose));
  const totals = await readTotals(db, runId);
  const { rows: points } = await db.query<RoundProgress['capturePoints'][number] & OfRound>(
    `select capture_point.id, round_id, name, agent, interface, filter
     from capture_point join round on round.id = round_id where run_id = $1 order by name`,
    [runId],
  );
  const pointsByRound = groupByRound(points);
  return rounds.map((round) => ({
    ...round,
    totals: totals.get(round.id) ?? noVisits,
    passes: passesByRound.get(round.id) ?? [],
    capturePoints: pointsByRound.get(round.id) ?? [],
  }));
}

interface OfRound {
  round_id: string;
}

/** By the id of their Round, which they are without from then on. */
function groupByRound<Row extends OfRound>(rows: readonly Row[]): Map<string, Omit<Row, 'round_id'>[]> {
  const groups = new Map<string, Omit<Row, 'round_id'>[]>();
  for (const { round_id: id, ...row } of rows) {
    const group = groups.get(id) ?? [];
    groups.set(id, group);
    group.push(row);
  }
  return groups;
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
  const { rows: passes } = await db.query<PassView & OfRound>(
    `with passes as (${countedPasses} and round.id = any($2))
     select pass.id, round_id, user_agent as "userAgent", agent, state, visits_expected as "visitsExpected", made as "visitsMade", failed as "visitsFailed", unsettled as "visitsUnsettled",
       (select count(*)::int from refused_visit where refused_visit.pass_id = pass.id) as "visitsRefused", codes as failures, problem, host_load as "hostLoad",
       case when capture.id is not null then jsonb_build_object('absence', case when trace_sha256 is null then outcome->>'reason' end) end as capture
     from passes pass left join capture on capture.pass_id = pass.id order by user_agent`,
    [runId, roundIds],
  );
  return groupByRound(passes);
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

/** The script executions of a Run in the order in which they ended. */
export async function listScriptExecutions(db: Queryable, runId: string): Promise<ScriptExecution[]> {
  const { rows } = await db.query<
    Omit<ScriptExecution, 'name' | 'problem'> & { name: string | null; problem: string | null }
  >(
    `select round_id as "roundId", phase, name, host, exit_code as "exitCode", is_timed_out as "isTimedOut", duration_ms as "durationMs", output, script_execution.problem
     from script_execution join round on round.id = round_id where run_id = $1 order by script_execution.ended_at, script_execution.id`,
    [runId],
  );
  return rows.map(({ roundId, phase, name, problem, ...row }) => ({
    roundId,
    phase,
    ...(name !== null && { name }),
    ...row,
    ...(problem !== null && { problem }),
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
