import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { issueToken } from '#controller/people/tokens.ts';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { postJson } from '#tests/support/controller.ts';
import { startTcpRelay, type TcpRelay } from '#tests/support/tcp-relay.ts';
import { startBalancer } from './support/balance.ts';
import { openBenchPool, openBenchProgram, startBenchPostgres } from './support/bench-parts.ts';
import { startLinkAgents } from './support/start-link-agents.ts';
import { startControllerProcess, type ControllerProcess } from './support/start-controller-process.ts';

/**
 * Several Controllers are one system: `node bench/controllers.ts [AGENTS] [OUTAGES] [HANG_SECONDS] [SEED] [ROUNDS] [WAY]`, 200, 20, 60, 1, 50 and `balancer` unless given.
 * Three Controllers on one PostgreSQL, Agents and a Run. WAY: a balancer gives the Agents to the Controllers in turn, or they know the `addresses` of all, and are together at the first that answers.
 * At random moments a random Controller is killed (and started again), halted, or cut off from the database. Reports how long the Run stood still after each, and what was lost, doubled or ordered
 * twice. When the Run ends before the outages do, another one begins.
 */
const [agentCount = 200, outages = 20, hangSeconds = 60, seed = 1, rounds = 50] = process.argv.slice(2, 7).map(Number);
const way = process.argv[7] ?? 'balancer';
if (way !== 'balancer' && way !== 'addresses') throw new Error(`WAY is "balancer" or "addresses", not "${way}"`);
const controllerCount = 3;
const pages = 5;
const originDelayMs = 30;
const lookEveryMs = 100;
/** Of a Controller, beside the one on which it is woken. The embedded PostgreSQL has 60 in all, and after a kill it needs a while to see that those of before are gone. */
const mostConnections = 10;
/** How long the Run is watched after an outage. */
const watchMs = 45_000;
const kinds = ['kill', 'hang', 'cut'] as const;

interface Site {
  relay: TcpRelay;
  folder: string;
  databaseUrl: string;
  port: number;
  controller: ControllerProcess;
}

const generator = xoroshiro128plus(seed);
const random = () => uniformFloat64(generator);
await using postgres = await startBenchPostgres();
await using pool = await openBenchPool(postgres);
await using stack = new AsyncDisposableStack();
const sites: Site[] = [];
for (let index = 0; index < controllerCount; index++) {
  const straight = new URL(postgres.databaseUrl);
  const relay = stack.use(await startTcpRelay(Number(straight.port)));
  const databaseUrl = Object.assign(straight, { port: String(relay.port) }).href;
  const folder = path.join(postgres.folder, `controller-${index}`);
  const controller = await startControllerProcess({ databaseUrl, folder }, { mostConnections });
  sites.push({ relay, folder, databaseUrl, port: Number(new URL(controller.url).port), controller });
}
stack.defer(async () => {
  await Promise.all(sites.map(({ controller }) => controller[Symbol.asyncDispose]()));
});
const balancer = stack.use(await startBalancer(sites.map(({ port }) => port)));
const balancedUrl = `http://127.0.0.1:${balancer.port}`;
const origin = createServer((_request, response) => {
  setTimeout(() => response.end('<!doctype html><title>page</title>'), originDelayMs);
});
// A connection that it closes as it is used again would be a failed Visit.
origin.keepAliveTimeout = 600_000;
await once(origin.listen(0, '127.0.0.1'), 'listening');
stack.defer(() => {
  origin.close().closeAllConnections();
});
const originUrl = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;

const names = Array.from({ length: agentCount }, (_, index) => `host ${index + 1}`);
const { token } = await issueToken(pool, { name: 'agents', scope: 'agent' });
const urls = way === 'balancer' ? [balancedUrl] : sites.map(({ controller }) => controller.url);
const agents = stack.use(await startLinkAgents({ urls, token, names, folder: postgres.folder, snapshotBytes: null }));

const program = await openBenchProgram({ pool, url: balancedUrl });
const runs: string[] = [await startRun()];
const stops: { kind: (typeof kinds)[number]; ofOwner: boolean; stillMs: number }[] = [];
for (let outage = 0; outage < outages; outage++) {
  await sleep(3_000 + random() * 5_000);
  if (await hasEnded(pool, runs.at(-1)!)) runs.push(await startRun());
  while ((await readProgress(pool, runs.at(-1)!)) === '') await sleep(lookEveryMs);
  const kind = kinds[Math.floor(random() * kinds.length)]!;
  const site = sites[Math.floor(random() * sites.length)]!;
  const ofOwner = await isOwner(pool, runs.at(-1)!, site.port);
  const watching = watchStill(runs.at(-1)!);
  const restored = disturb(site, kind);
  stops.push({ kind, ofOwner, stillMs: await watching });
  await restored;
  console.error(
    `${outage + 1} of ${outages}: ${kind} of ${ofOwner ? 'the owner' : 'another'}, stood still for ${(stops.at(-1)!.stillMs / 1000).toFixed(1)} s`,
  );
}
const ended = await Promise.all(runs.map(untilEnded));

const { begunAgain } = await agents.countOrders();
const visits = await countVisits(pool, runs);
console.log(
  `${controllerCount} Controllers, ${agentCount} Agents by ${way}, ${outages} outages, ${runs.length} Runs of ${rounds} Rounds, ${pages} pages`,
);
for (const kind of kinds)
  for (const ofOwner of [true, false]) {
    const own = stops.filter((each) => each.kind === kind && each.ofOwner === ofOwner).map(({ stillMs }) => stillMs);
    if (own.length === 0) continue;
    const seconds = own.toSorted((a, b) => a - b).map((ms) => (ms / 1000).toFixed(1));
    console.log(`${kind} of ${ofOwner ? 'the owner' : 'another Controller'}: stood still for ${seconds.join(', ')} s`);
  }
console.table({
  'Runs completed': `${ended.filter((problem) => problem === null).length} of ${runs.length}`,
  'completed Rounds': visits.rounds,
  'broken Rounds': visits.broken,
  'Visits lost in completed Rounds': visits.rounds * agentCount * pages - visits.distinct,
  'Visits doubled in completed Rounds': visits.stored - visits.distinct,
  'orders executed twice': begunAgain,
  'Runs with agent-missing': ended.filter((problem) => problem?.includes('did not connect')).length,
  'messages left': visits.messages,
});
for (const problem of ended) if (problem !== null) console.log(problem);

/** Resolves when the Controller is as before. */
async function disturb(site: Site, kind: (typeof kinds)[number]): Promise<void> {
  const { relay, controller } = site;
  switch (kind) {
    case 'kill':
      process.kill(controller.processId, 'SIGKILL');
      await controller[Symbol.asyncDispose]();
      await sleep(5_000);
      site.controller = await startControllerProcess(site, { port: site.port, mostConnections });
      return;
    case 'hang':
      process.kill(controller.processId, 'SIGSTOP');
      await sleep(hangSeconds * 1000);
      process.kill(controller.processId, 'SIGCONT');
      return;
    case 'cut':
      relay.halt();
      await sleep(hangSeconds * 1000);
      relay.resume();
  }
}

/** The longest time without any progress of the Run, of the time in which an outage may be felt. */
async function watchStill(run: string): Promise<number> {
  const endMs = performance.now() + watchMs;
  let last = await readProgress(pool, run);
  let lastMs = performance.now();
  let longestMs = 0;
  while (performance.now() < endMs || performance.now() - lastMs > longestMs) {
    await sleep(lookEveryMs);
    const now = await readProgress(pool, run);
    if (now !== last) {
      longestMs = Math.max(longestMs, performance.now() - lastMs);
      lastMs = performance.now();
      last = now;
    } else if (await hasEnded(pool, run)) break;
  }
  return longestMs;
}

async function startRun(): Promise<string> {
  const evaluation = {
    name: 'Outages',
    urlLists: { pages: [`${originUrl}/{1..${pages}}`] },
    userAgents: names.map((host) => ({ name: `user of ${host}`, host, engine: 'http', urlList: 'pages' })),
    scenarios: [
      { name: 'direct', baseline: true, setUp: [{ host: names[0], script: 'true' }] },
      { name: 'the same', tearDown: [{ host: names[1], script: 'true' }] },
    ],
    pageLoad: { restMs: 100, quietMs: 50 },
    repetition: { rounds: rounds / 2, warmUp: false, attempts: 10 },
  };
  const post = async (to: string, body: unknown): Promise<unknown> => {
    for (;;) {
      const response = await program(to, postJson(body)).catch(() => null);
      if (response?.ok) return response.json();
      if (response && response.status < 500) throw new Error(await response.text());
      await sleep(1_000); // the Controller that the balancer chose has an outage
    }
  };
  const { id } = (await post('/api/evaluations', evaluation)) as { id: string };
  return RunSummarySchema.parse(await post(`/api/evaluations/${id}/runs`, {})).id;
}

async function untilEnded(run: string): Promise<string | null> {
  while (!(await hasEnded(pool, run))) await sleep(500);
  const { rows } = await pool.query<{ state: string; problem: string | null }>(
    'select state, problem from run where id = $1',
    [run],
  );
  return rows[0]!.state === 'completed' ? null : `Run ${run} ${rows[0]!.state}: ${rows[0]!.problem ?? ''}`;
}

async function hasEnded(db: Pool, run: string): Promise<boolean> {
  const { rows } = await db.query<{ is_over: boolean }>(
    'select ended_at is not null as is_over from run where id = $1',
    [run],
  );
  return rows[0]!.is_over;
}

async function isOwner(db: Pool, run: string, port: number): Promise<boolean> {
  const { rows } = await db.query<{ name: string }>(
    'select controller.name from run join controller on controller.id::text = owner where run.id = $1',
    [run],
  );
  return rows[0]?.name.includes(`:${port})`) ?? false;
}

/** Changes with each step of the Round under way. Empty before the first. */
async function readProgress(db: Pool, run: string): Promise<string> {
  const { rows } = await db.query<{ progress: string }>(
    `select round.id || round.state || string_agg(pass.state, '' order by pass.id) as progress
     from (select id, state, index, attempt from round where run_id = $1 order by index desc, attempt desc limit 1) round join pass on round_id = round.id group by round.id, round.state`,
    [run],
  );
  return rows[0]?.progress ?? '';
}

async function countVisits(
  db: Pool,
  of: readonly string[],
): Promise<{ rounds: number; broken: number; stored: number; distinct: number; messages: number }> {
  const { rows } = await db.query<{
    rounds: number;
    broken: number;
    stored: number;
    distinct: number;
    messages: number;
  }>(
    `select (select count(*)::int from round where run_id = any($1) and state = 'completed') as rounds,
       (select count(*)::int from round where run_id = any($1) and state = 'broken') as broken,
       count(*)::int as stored, count(distinct (pass.id, visit.sequence))::int as distinct,
       (select count(*)::int from controller_message) as messages
     from round join pass on pass.round_id = round.id join visit on visit.pass_id = pass.id
     where run_id = any($1) and round.state = 'completed'`,
    [of],
  );
  return rows[0]!;
}
