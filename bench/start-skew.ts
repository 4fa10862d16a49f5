import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { issueToken } from '#controller/people/tokens.ts';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { RunDetailSchema } from '#core/protocol/api/run.ts';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { postJson } from '#tests/support/controller.ts';
import { holdClocks } from '#tests/support/hold-clocks.ts';
import { openBenchProgram, startBenchController, startBenchPostgres } from './support/bench-parts.ts';
import { readQuantile } from './support/read-quantile.ts';

/**
 * How well Agents start together: `node bench/start-skew.ts [clocks] [agents] [rounds] [engine…]`, 200, 5, 6 and `http` unless given.
 * First the true error of so many clocks, which is known as both ends have one clock: just after all connected at once, and 45 s later as all prepare a Pass at once. Then real Agents,
 * with a User Agent of each engine: the skew that a Run reports beside that of the requests at the origin, which logs when each came. The first Round teaches the Controller how long
 * each engine takes from its order to its first request.
 */
const [clockCount = 200, agentCount = 5, rounds = 6] = process.argv.slice(2, 5).map(Number);
const engines = process.argv.length > 5 ? process.argv.slice(5) : ['http'];
if (clockCount > 0) await measureClocks(clockCount);
await measureStarts(agentCount);

async function measureClocks(count: number): Promise<void> {
  await using held = await holdClocks(count);
  reportClocks(
    'all connected at once',
    held.clocks.map((clock) => clock.offset),
  );
  await sleep(45_000);
  const before = held.requests;
  const prepared = await Promise.all(held.clocks.map((clock) => clock.improve(AbortSignal.timeout(60_000))));
  reportClocks('all prepare at once, 45 s later', prepared);
  console.log(`exchanges to prepare: ${held.requests - before} by ${count} Agents`);
}

function reportClocks(when: string, offsets: readonly { offsetMs: number; errorMs: number }[]): void {
  report(
    `${when}: true error`,
    offsets.map(({ offsetMs }) => Math.abs(offsetMs)),
  );
  report(
    `${when}: bound`,
    offsets.map(({ errorMs }) => errorMs),
  );
}

function report(what: string, values: number[]): void {
  const [median, p95] = [0.5, 0.95].map((part) => readQuantile(values, part).toFixed(3));
  console.log(`${what}: median ${median}, 95th percentile ${p95}, largest ${Math.max(...values).toFixed(3)} ms`);
}

async function measureStarts(count: number): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await startBenchPostgres());
  const origin = stack.use(await startOrigin());
  const controller = stack.use(await startBenchController(postgres));
  const program = await openBenchProgram({ pool: controller.pool, url: controller.localUrl });
  const { token } = await issueToken(controller.pool, { name: 'agents', scope: 'agent' });
  for (let index = 1; index <= count; index++)
    stack.use(startAgentProcess({ url: controller.url, name: `agent ${index}`, token, home: postgres.folder }));
  const list = async () => (await (await program('/api/agents')).json()) as { isConnected: boolean }[];
  while ((await list()).filter(({ isConnected }) => isConnected).length < count) await sleep(500);

  const users = Array.from({ length: count }, (_, index) =>
    engines.map((engine) => ({ name: `${engine} ${index + 1}`, host: `agent ${index + 1}`, engine })),
  ).flat();
  const evaluation = {
    name: 'Start skew',
    urlLists: Object.fromEntries(
      users.map(({ name }) => [name, [`${origin.httpUrl}/images/0?visit=${name.replace(' ', '-')}`]]),
    ),
    userAgents: users.map((user) => ({ ...user, urlList: user.name })),
    scenarios: [{ name: 'direct', baseline: true }, { name: 'the same' }],
    pageLoad: { restMs: 200, quietMs: 100 },
    repetition: { rounds, warmUp: true },
  };
  const { id } = (await (await program('/api/evaluations', postJson(evaluation))).json()) as { id: string };
  const { id: runId } = (await (await program(`/api/evaluations/${id}/runs`, postJson({}))).json()) as { id: string };
  const readRun = async () => RunDetailSchema.parse(await (await program(`/api/runs/${runId}`)).json());
  let run = await readRun();
  while (run.endedAt === null) {
    await sleep(1000);
    run = await readRun();
  }
  const { startSkew, firstRequestSkew, hostLoad } = ComparisonSchema.parse(
    await (await program(`/api/runs/${runId}/comparison`)).json(),
  );
  const visits = (await (await program(`/api/runs/${runId}/visits?format=json`)).json()) as StartedVisit[];
  const arrivals = origin.truth.requests().filter(({ object }) => object === null);
  console.log(`${users.length} User Agents, ${run.roundsCompleted} Rounds, the first of each Scenario to warm up`);
  console.log('orders, as reported:', startSkew);
  console.log('first requests, as reported:', firstRequestSkew);
  const ofRounds = [...Map.groupBy(visits, ({ block, scenario }) => `${block} ${scenario}`).values()];
  const counted = ofRounds.filter(([visit]) => !visit!.warm_up);
  report(
    'first requests at the origin',
    counted.map((own) => {
      const ofRound = own.map((visit) => findArrival(visit, arrivals));
      return Math.max(...ofRound) - Math.min(...ofRound);
    }),
  );
  if (process.env.VERBOSE)
    console.table(
      visits.map(({ block, scenario, user_agent, started_at, request_delay_ms, host_delay_ms }) => ({
        block,
        scenario,
        user_agent,
        started_at,
        request_delay_ms,
        host_delay_ms,
      })),
    );
  for (const engine of engines) {
    const own = visits.filter(({ user_agent }) => user_agent.startsWith(engine));
    report(
      `${engine}: from its first request to the origin`,
      own.map((visit) => findArrival(visit, arrivals) - readRequest(visit)),
    );
    report(
      `${engine}: from its order to its first request`,
      own.map(({ request_delay_ms }) => request_delay_ms),
    );
    report(
      `${engine}: held up by the host`,
      own.map(({ host_delay_ms }) => host_delay_ms),
    );
  }
  console.log('load of the host:', hostLoad.kind === 'measured' ? hostLoad.hosts[0]?.measures : hostLoad.reason);
}

interface StartedVisit {
  block: number;
  scenario: string;
  user_agent: string;
  warm_up: boolean;
  started_at: string;
  request_delay_ms: number;
  host_delay_ms: number;
}

/** To the millisecond, as exports are. */
function readRequest({ started_at, request_delay_ms }: StartedVisit): number {
  return Date.parse(started_at) + request_delay_ms;
}

/** Of the request of this User Agent that came next to when its engine says that it went. */
function findArrival(
  visit: StartedVisit,
  arrivals: readonly { visit: string | null; arrivedEpochMs: number }[],
): number {
  const sentEpochMs = readRequest(visit);
  const own = arrivals.filter((arrival) => arrival.visit === visit.user_agent.replace(' ', '-'));
  return own
    .map(({ arrivedEpochMs }) => arrivedEpochMs)
    .reduce((best, each) => (Math.abs(each - sentEpochMs) < Math.abs(best - sentEpochMs) ? each : best), Infinity);
}

function startAgentProcess({
  url,
  name,
  token,
  home,
}: {
  url: string;
  name: string;
  token: string;
  home: string;
}): AsyncDisposable {
  const main = path.join(import.meta.dirname, '../cli/main.ts');
  const child: ChildProcess = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      main,
      'agent',
      '--controller',
      url,
      '--name',
      name,
      ...(engines.includes('chrome') ? [] : ['--no-browser']),
      ...(engines.includes('firefox') ? [] : ['--no-firefox']),
    ],
    {
      env: { ...process.env, HTTP_AE_TOKEN: token, HTTP_AE_HOME: home },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  return {
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}
