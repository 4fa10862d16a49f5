import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { issueToken } from '#controller/access/issue-token.ts';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { RunDetailSchema } from '#core/protocol/api/run.ts';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { postJson } from '#tests/support/controller.ts';
import { holdClocks } from '#tests/support/hold-clocks.ts';
import { openBenchProgram, startBenchController, startBenchPostgres } from './support/bench-parts.ts';
import { readQuantile } from './support/read-quantile.ts';

/**
 * How well Agents start together: `node bench/start-skew.ts [clocks] [agents] [rounds]`, 200, 5 and 6 unless given.
 * First the true error of so many clocks, which is known as both ends have one clock: just after all connected at once, and 45 s later as all prepare a Pass at once. Then real Agents
 * with the http engine: the skew that a Run reports beside that of the requests at the origin, which logs when each came.
 */
const [clockCount = 200, agentCount = 5, rounds = 6] = process.argv.slice(2).map(Number);
await measureClocks(clockCount);
await measureStarts(agentCount);

async function measureClocks(count: number): Promise<void> {
  await using held = await holdClocks(count);
  report(
    'all connected at once',
    held.clocks.map((clock) => clock.offset),
  );
  await sleep(45_000);
  const before = held.requests;
  const prepared = await Promise.all(held.clocks.map((clock) => clock.improve(AbortSignal.timeout(60_000))));
  report('all prepare at once, 45 s later', prepared);
  console.log(`exchanges to prepare: ${held.requests - before} by ${count} Agents`);
}

function report(when: string, offsets: readonly { offsetMs: number; errorMs: number }[]): void {
  const show = (values: number[]) =>
    `median ${readQuantile(values, 0.5).toFixed(3)}, largest ${Math.max(...values).toFixed(3)} ms`;
  console.log(
    `${when}: true error ${show(offsets.map(({ offsetMs }) => Math.abs(offsetMs)))}; bound ${show(offsets.map(({ errorMs }) => errorMs))}`,
  );
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

  const evaluation = {
    name: 'Start skew',
    urlLists: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `list ${index + 1}`,
        [`${origin.httpUrl}/images/0?visit=user${index + 1}`],
      ]),
    ),
    userAgents: Array.from({ length: count }, (_, index) => ({
      name: `user ${index + 1}`,
      host: `agent ${index + 1}`,
      engine: 'http',
      urlList: `list ${index + 1}`,
    })),
    scenarios: [{ name: 'direct', baseline: true }, { name: 'the same' }],
    pageLoad: { restMs: 200, quietMs: 100 },
    repetition: { rounds, warmUp: false },
  };
  const { id } = (await (await program('/api/evaluations', postJson(evaluation))).json()) as { id: string };
  const { id: runId } = (await (await program(`/api/evaluations/${id}/runs`, postJson({}))).json()) as { id: string };
  const readRun = async () => RunDetailSchema.parse(await (await program(`/api/runs/${runId}`)).json());
  let run = await readRun();
  while (run.endedAt === null) {
    await sleep(1000);
    run = await readRun();
  }
  const { startSkew, hostLoad } = ComparisonSchema.parse(await (await program(`/api/runs/${runId}/comparison`)).json());
  console.log(
    `${count} Agents, ${run.roundsCompleted} Rounds: reported`,
    startSkew,
    'at the origin',
    describeOrigin(
      origin.truth
        .requests()
        .filter(({ object }) => object === null)
        .map(({ arrivedEpochMs }) => arrivedEpochMs),
      count,
    ),
  );
  console.log('load of the host:', hostLoad.kind === 'measured' ? hostLoad.hosts[0]?.measures : hostLoad.reason);
}

/** Rounds follow each other, so that each takes as many requests as there are User Agents. */
function describeOrigin(arrivals: number[], count: number): { medianMs: number; largestMs: number } {
  const sorted = arrivals.toSorted((a, b) => a - b);
  const skews = Array.from(
    { length: Math.floor(sorted.length / count) },
    (_, round) => sorted[round * count + count - 1]! - sorted[round * count]!,
  );
  return { medianMs: readQuantile(skews, 0.5), largestMs: Math.max(...skews) };
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
      '--no-browser',
      '--no-firefox',
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
