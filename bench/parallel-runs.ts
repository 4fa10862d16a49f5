import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { issueToken } from '#controller/people/tokens.ts';
import { kindOfOutcome } from '#core/comparison/outcome/run-outcome.ts';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { welchInterval } from '#core/statistics/compare-unpaired.ts';
import { postJson } from '#tests/support/controller.ts';
import { openBenchProgram, startBenchController, startBenchPostgres } from './support/bench-parts.ts';
import { startLinkAgents } from './support/start-link-agents.ts';

/**
 * Runs side by side: `node bench/parallel-runs.ts [RUNS] [ROUNDS] [PAGES]`, 20, 15 and 4 unless given. Each Run has two hosts, whose Agents are real but for the engine, and an origin that
 * answers after 30 ms. First one Run to warm up and one alone, then all at once, and beside them one more that shares a host with the first, which must wait for it. Both Scenarios are the same, so each
 * difference is an error: within a Run, between two Runs that were measured at the same time, and between alone and beside others.
 */
const [runCount = 20, rounds = 15, pages = 4] = process.argv.slice(2).map(Number);
const originDelayMs = 30;

await using stack = new AsyncDisposableStack();
const postgres = stack.use(await startBenchPostgres());
const controller = stack.use(await startBenchController(postgres));
const { pool } = controller;
const program = await openBenchProgram({ pool, url: controller.localUrl });
const origin = createServer((_request, response) => {
  setTimeout(() => response.end('<!doctype html><title>page</title>'), originDelayMs);
});
await once(origin.listen(0, '127.0.0.1'), 'listening');
stack.defer(() => {
  origin.close().closeAllConnections();
});
const originUrl = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;

const hostsOf = (run: number) => [`host ${2 * run + 1}`, `host ${2 * run + 2}`];
const names = Array.from({ length: runCount }, (_, run) => hostsOf(run)).flat();
const { token } = await issueToken(pool, { name: 'agents', scope: 'agent' });
stack.use(
  await startLinkAgents({
    urls: [controller.localUrl],
    token,
    names,
    folder: postgres.folder,
    snapshotBytes: null,
  }),
);

await untilEnded([await startRun(hostsOf(0))]);
const alone = await startRun(hostsOf(0));
await untilEnded([alone]);
const together = await Promise.all(Array.from({ length: runCount }, (_, run) => startRun(hostsOf(run))));
const waiting = await startRun([hostsOf(0)[0]!]);
await untilEnded([...together, waiting]);

const [atOnce, visits] = [await countAtOnce(pool, together), await countVisits(pool, together)];
const means = await Promise.all(together.map((run) => readBlockMeans(pool, run)));
const meansAlone = await readBlockMeans(pool, alone);
const pairs = together.flatMap((_, one) =>
  together.slice(one + 1).map((_each, more) => [one, one + 1 + more] as const),
);
const different = pairs.filter(([one, other]) => differs(means[one]!, means[other]!));
console.log(`${runCount} Runs of two hosts, ${rounds} Rounds of ${pages} pages by 2 Scenarios that are the same`);
console.table({
  'one Run alone, s': await readSeconds(pool, [alone]),
  'all Runs together, s': await readSeconds(pool, together),
  'Runs under way at once': atOnce,
  'Visits stored, of those planned': `${visits.stored} of ${runCount * 2 * 2 * rounds * pages}, ${visits.distinct} distinct`,
  'the Run that shares a host began after the first ended': await beganAfter(pool, waiting, together[0]!),
  'A/A within a Run, verdicts': await countOutcomes(together),
  'A/A between two Runs, 95 % intervals without 0': `${different.length} of ${pairs.length}`,
  'mean latency alone / together, ms': `${mean(meansAlone).toFixed(2)} / ${mean(means.flat()).toFixed(2)}`,
});

async function startRun(hosts: readonly string[]): Promise<string> {
  const evaluation = {
    name: `On ${hosts.join(' and ')}`,
    urlLists: { pages: [`${originUrl}/{1..${pages}}`] },
    userAgents: hosts.map((host) => ({ name: `user of ${host}`, host, engine: 'http', urlList: 'pages' })),
    scenarios: [{ name: 'direct', baseline: true }, { name: 'the same' }],
    pageLoad: { restMs: 50, quietMs: 50 },
    repetition: { rounds, warmUp: false },
  };
  const { id } = (await (await program('/api/evaluations', postJson(evaluation))).json()) as { id: string };
  return RunSummarySchema.parse(await (await program(`/api/evaluations/${id}/runs`, postJson({}))).json()).id;
}

async function untilEnded(runs: readonly string[]): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ id: string; state: string; problem: string | null }>(
      `select id, state, problem from run where id = any($1) and state <> 'completed'`,
      [runs],
    );
    if (rows.length === 0) return;
    const failed = rows.find(({ state }) => state === 'failed' || state === 'stopped');
    if (failed) throw new Error(`Run ${failed.id} ${failed.state}: ${failed.problem ?? ''}`);
    await sleep(500);
  }
}

/** From the first start to the last end. */
async function readSeconds(db: Pool, runs: readonly string[]): Promise<string> {
  const { rows } = await db.query<{ seconds: number }>(
    'select extract(epoch from max(ended_at) - min(started_at))::float8 as seconds from run where id = any($1)',
    [runs],
  );
  return rows[0]!.seconds.toFixed(1);
}

async function countAtOnce(db: Pool, runs: readonly string[]): Promise<number> {
  const { rows } = await db.query<{ most: number }>(
    `select max(beside)::int as most from run one cross join lateral (
       select count(*) as beside from run other where other.id = any($1) and other.started_at <= one.started_at and other.ended_at > one.started_at) at_start
     where one.id = any($1)`,
    [runs],
  );
  return rows[0]!.most;
}

async function countVisits(db: Pool, runs: readonly string[]): Promise<{ stored: number; distinct: number }> {
  const { rows } = await db.query<{ stored: number; distinct: number }>(
    `select count(*)::int as stored, count(distinct (pass.id, visit.sequence))::int as distinct
     from round join pass on pass.round_id = round.id join visit on visit.pass_id = pass.id
     where run_id = any($1) and round.state = 'completed'`,
    [runs],
  );
  return rows[0]!;
}

async function beganAfter(db: Pool, run: string, earlier: string): Promise<boolean> {
  const { rows } = await db.query<{ is_after: boolean }>(
    'select one.started_at >= other.ended_at as is_after from run one, run other where one.id = $1 and other.id = $2',
    [run, earlier],
  );
  return rows[0]!.is_after;
}

/** The mean latency of each Block of a Run: the Round is the unit of independence. */
async function readBlockMeans(db: Pool, run: string): Promise<number[]> {
  const { rows } = await db.query<{ mean_ms: number }>(
    `select avg(total_ms)::float8 as mean_ms from round join pass on pass.round_id = round.id join visit on visit.pass_id = pass.id
     where run_id = $1 and round.state = 'completed' group by block`,
    [run],
  );
  return rows.map(({ mean_ms: meanMs }) => meanMs);
}

function differs(one: readonly number[], other: readonly number[]): boolean {
  const interval = welchInterval(one, other, 0.95);
  return interval !== null && (interval.low > 0 || interval.high < 0);
}

async function countOutcomes(runs: readonly string[]): Promise<string> {
  const kinds: string[] = [];
  for (const run of runs) {
    await program(`/api/runs/${run}/comparison`);
    const { outcome } = RunSummarySchema.parse(await (await program(`/api/runs/${run}`)).json());
    kinds.push(outcome ? kindOfOutcome(outcome) : 'none');
  }
  return [...Map.groupBy(kinds, (kind) => kind)].map(([kind, { length }]) => `${length} ${kind}`).join(', ');
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
