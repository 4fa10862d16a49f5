import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { hostsOfAll } from './hosts-of.ts';
import type { RunState } from '#core/protocol/api/run-summary.ts';
import type { RunLabels } from '#core/protocol/api/run-labels.ts';
import type { Queryable } from '../database/queryable.ts';
import { isLoopback } from '#core/protocol/loopback.ts';
import type { BrowserSettings } from '#core/evaluation/browser/browser-settings.ts';
import { urlsOf } from '#core/evaluation/rounds/expand-evaluation.ts';
import { fillVariables } from '#core/evaluation/pages/variables.ts';

/** In a script for proxies, those that it may answer with. https://developer.mozilla.org/docs/Web/HTTP/Guides/Proxy_servers_and_tunneling/Proxy_Auto-Configuration_PAC_file */
const proxyInScript = /\b(?:PROXY|SOCKS[45]?|HTTPS?)\s+([\w.:[\]-]+)/g;

/** A Run that this Controller owns. Every write of its state, or of a state of its Rounds, names `epoch`: when another Controller has taken over, the write finds no row. */
export interface OwnedRun {
  id: string;
  epoch: number;
  seed: number;
  state: RunState;
  evaluation: Evaluation;
}

/** The lease was lost: another Controller owns the Run, or may own it soon. This one must neither write nor order any more. */
export class LeaseLostError extends Error {
  constructor(runId: string, reason = `Another Controller now owns Run ${runId}`) {
    super(reason);
    this.name = 'LeaseLostError';
  }
}

/** Counted from the claim or the last renewal. */
export const leaseSeconds = 10;

export async function createRun(
  db: Queryable,
  run: {
    evaluationId: string;
    evaluation: Evaluation;
    seed: number;
    roundsPlanned: number;
    requestedBy?: string;
    isTry?: boolean;
    labels?: RunLabels;
  },
): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    'insert into run (evaluation_id, document, seed, rounds_planned, requested_by, is_try, agents, labels, shared) values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id',
    [
      run.evaluationId,
      JSON.stringify(run.evaluation),
      run.seed,
      run.roundsPlanned,
      run.requestedBy ?? null,
      run.isTry ?? false,
      hostsOfAll(run.evaluation),
      JSON.stringify(run.labels ?? {}),
      listShared(run.evaluation),
    ],
  );
  return rows[0]!.id;
}

/** Holds the lease for another ten seconds and returns the state, which a request to stop changes. Throws LeaseLostError. */
export async function renewLease(db: Queryable, run: OwnedRun): Promise<RunState> {
  const { rows } = await db.query<{ state: RunState }>(
    'update run set owner_until = now() + make_interval(secs => $3) where id = $1 and epoch = $2 returning state',
    [run.id, run.epoch, leaseSeconds],
  );
  if (!rows[0]) throw new LeaseLostError(run.id);
  return rows[0].state;
}

/** A Controller that is shut down, or whose Agents have gone to another one, lets go: the next owner need not wait for the lease to run out. */
export async function releaseLease(db: Queryable, run: OwnedRun): Promise<void> {
  await db.query('update run set owner = null, owner_until = now() where id = $1 and epoch = $2', [run.id, run.epoch]);
}

/** Ends a Run, and keeps what its hosts were like: added Rounds may find them otherwise. Throws LeaseLostError. */
export async function endRun(
  db: Queryable,
  run: OwnedRun,
  end: { state: 'completed' | 'stopped' | 'failed'; problem: string | null },
): Promise<void> {
  const { rowCount } = await db.query(
    `with owned as (select id, agents from run where id = $1 and epoch = $2 for update),
     seen as (
       select jsonb_object_agg(agent.name, jsonb_build_object('agentVersion', agent_version, 'facts', facts)) as hosts
       from owned join agent on agent.name = any(owned.agents)),
     last_added as (
       update added_rounds set hosts = seen.hosts from seen, owned
       where run_id = owned.id and number = (select count(*) from added_rounds where run_id = $1) returning number)
     update run set state = $3, problem = $4, ended_at = now(), paused_at = null, owner = null, owner_until = null,
       hosts = case when exists (select from last_added) then run.hosts else seen.hosts end
     from owned, seen where run.id = owned.id`,
    [run.id, run.epoch, end.state, end.problem],
  );
  if (rowCount === 0) throw new LeaseLostError(run.id);
}

/** With the current pause, which counts from the start of the Run at the earliest. */
const pausedMs = `paused_ms + case when paused_at is null or started_at is null then 0 else extract(epoch from now() - greatest(paused_at, started_at)) * 1000 end`;

/** Asks for a rest after the Round under way; a Run that is paused, is being stopped or has ended stays as it is. */
export async function requestPause(db: Queryable, runId: string): Promise<void> {
  await db.query(
    `update run set paused_at = now() where id = $1 and state in ('pending', 'running') and paused_at is null`,
    [runId],
  );
}

/** Resumes a paused Run. */
export async function endPause(db: Queryable, runId: string): Promise<void> {
  await db.query(
    `update run set paused_at = null, paused_ms = ${pausedMs}
     where id = $1 and paused_at is not null and state in ('pending', 'running')`,
    [runId],
  );
}

export async function isPaused(db: Queryable, runId: string): Promise<boolean> {
  const { rows } = await db.query<{ is_paused: boolean }>(
    'select paused_at is not null as is_paused from run where id = $1',
    [runId],
  );
  return rows[0]?.is_paused ?? false;
}

/**
 * Asks the owner to stop; a Run that nobody has begun is stopped at once, one that has ended stays as it is. Added Rounds that nobody has begun are taken back: the Run is then as it was
 * before.
 */
export async function requestStop(db: Queryable, runId: string): Promise<void> {
  await db.query(
    `with asked as (select id, state from run where id = $1 and state in ('pending', 'running', 'stopping') for update),
     taken_back as (
       delete from added_rounds using asked where run_id = asked.id and asked.state = 'pending' and started_at is null
       returning state_before, problem_before, ended_before, rounds_planned_before)
     update run set
       state = coalesce(state_before, case asked.state when 'pending' then 'stopped' else 'stopping' end), problem = case when state_before is null then problem else problem_before end,
       paused_ms = case when state_before is null then ${pausedMs} else paused_ms end, paused_at = null,
       ended_at = coalesce(ended_before, case asked.state when 'pending' then now() end),
       rounds_planned = coalesce(rounds_planned_before, rounds_planned)
     from asked left join taken_back on true where run.id = asked.id`,
    [runId],
  );
}

/** A Run's frozen configuration and its progress; null when there is none of this id. `hasVisits`: they were not deleted. */
export async function readRun(
  db: Queryable,
  runId: string,
): Promise<{
  evaluationId: string;
  document: unknown;
  seed: number;
  state: RunState;
  isTry: boolean;
  hasVisits: boolean;
} | null> {
  const { rows } = await db.query<{
    evaluationId: string;
    document: unknown;
    seed: string;
    state: RunState;
    isTry: boolean;
    hasVisits: boolean;
  }>(
    `select evaluation_id as "evaluationId", document, seed, state, is_try as "isTry", visits_deleted_at is null as "hasVisits"
     from run where id = $1 and deleted_at is null`,
    [runId],
  );
  return rows[0] ? { ...rows[0], seed: Number(rows[0].seed) } : null;
}

/**
 * What a Run uses besides its hosts, and may share with other Runs: `resource:NAME` as declared, and `origin:HOST` of each URL and each proxy. Ports do
 * not count: they are of one machine. Neither do loopback addresses, which are of the host itself.
 */
export function listShared(evaluation: Evaluation): string[] {
  const { resources, scenarios, userAgents } = evaluation;
  const lists = new Set(userAgents.map(({ urlList }) => urlList));
  const bases = new Set(
    [...lists].flatMap((list) => urlsOf(evaluation, list).map(({ url, address = url }) => baseOf(address))),
  );
  const addresses = scenarios.flatMap(({ variables, browser }) => [
    ...[...bases].map((base) => fillVariables(base, variables)),
    ...listProxies(browser),
  ]);
  const hosts = addresses.flatMap((address) => (URL.canParse(address) ? [new URL(address).hostname] : []));
  return [
    ...new Set([
      ...resources.map((name) => `resource:${name}`),
      ...hosts.filter((host) => !isLoopback(host)).map((host) => `origin:${host}`),
    ]),
  ];
}

/** All before the path: of the thousands of URLs of a list, few differ in it. */
function baseOf(url: string): string {
  return /^[^/?#]*(?:\/\/[^/?#]*)?/.exec(url)![0];
}

function listProxies({ proxy, pac = '' }: BrowserSettings): string[] {
  const scripted = [...pac.matchAll(proxyInScript)].map(([, address]) => `http://${address}`);
  return proxy === undefined ? scripted : [proxy, ...scripted];
}
