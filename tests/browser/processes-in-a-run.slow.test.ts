import { connect } from 'node:net';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import type { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import type { ScenarioSchema } from '#core/evaluation/scenarios/scenario.ts';
import type { ScenarioProcessSchema } from '#core/evaluation/scenarios/scenario-process.ts';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { StoredEvaluationSchema } from '#core/protocol/api/stored-evaluation.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { postJson, startTestController, type TestController } from '../support/controller.ts';
import { findFreePort } from '../support/find-free-port.ts';
import { awaitRun } from './support/await-run.ts';
import { joinAgent } from './support/join-real-agent.ts';

/** A proxy that prints what it passes on, and ends before the request after the last that it may. */
const proxyProgram = `
import { createServer, request } from 'node:http';
let left = Number(process.env.REQUESTS ?? Infinity);
createServer((incoming, response) => {
  if (left-- <= 0) {
    console.error('the licence has expired');
    process.exit(7);
  }
  console.log(incoming.method, new URL(incoming.url).pathname, 'in', process.env.HTTP_AE_SCENARIO);
  incoming.pipe(request(incoming.url, { method: incoming.method, headers: incoming.headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  }));
}).listen(Number(process.env.PORT), '127.0.0.1', () => console.log('the proxy listens'));
`;

type ScenarioInput = z.input<typeof ScenarioSchema>;

let origin: Origin;
let controller: TestController;
let agent: AsyncDisposable;
let folder: string;
let port: number;

beforeAll(async () => {
  origin = await startOrigin();
  controller = await startTestController();
  agent = await joinAgent(controller.controller, { allowScripts: true });
  folder = await mkdtemp(path.join(tmpdir(), 'http-ae-test-'));
  await writeFile(path.join(folder, 'proxy.mjs'), proxyProgram);
  port = await findFreePort();
});

afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  await controller[Symbol.asyncDispose]();
  await origin.close();
  await rm(folder, { recursive: true });
});

function scenariosWith(change: Partial<z.input<typeof ScenarioProcessSchema>>): ScenarioInput[] {
  return [
    { name: 'direct', baseline: true },
    {
      name: 'with a proxy',
      browser: { proxy: `http://127.0.0.1:${port}` },
      processes: [
        {
          name: 'proxy',
          host: 'laptop',
          command: 'exec "$NODE" "$PROXY"',
          environment: { NODE: process.execPath, PROXY: path.join(folder, 'proxy.mjs'), PORT: String(port) },
          readyWhen: { port },
          ...change,
        },
      ],
    },
  ];
}

async function run(scenarios: ScenarioInput[], hosts = ['laptop']): Promise<RunDetail> {
  const evaluation: z.input<typeof EvaluationSchema> = {
    name: 'With and without a proxy',
    urlLists: { pages: [`${origin.httpUrl}/images/2`] },
    userAgents: hosts.map((host) => ({ name: `user of ${host}`, host, engine: 'http', urlList: 'pages' })),
    scenarios,
    pageLoad: { restMs: 0, quietMs: 100 },
    repetition: { rounds: 2, warmUp: false, attempts: 2 },
  };
  const stored = await controller.program('/api/evaluations', postJson(evaluation));
  expect(stored.status).toBe(201);
  const { id } = StoredEvaluationSchema.parse(await stored.json());
  const started = await controller.program(`/api/evaluations/${id}/runs`, postJson({ seed: 3 }));
  expect(started.status).toBe(201);
  return await awaitRun(controller.program, RunSummarySchema.parse(await started.json()).id);
}

async function isListening(): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' });
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    return false;
  } finally {
    socket.destroy();
  }
}

const passed = (output: string) => output.split('\n').filter((line) => line === 'GET /images/2 in with a proxy').length;

test('a process is started for each Round, its output kept, and it is ended', async () => {
  const { state, problem, failedVisits, scripts, rounds } = await run(scenariosWith({}));
  expect({ state, problem, failedVisits }).toEqual({ state: 'completed', problem: null, failedVisits: 0 });
  const proxied = rounds.filter(({ scenario }) => scenario === 'with a proxy');
  expect(scripts.map(({ phase, name, host, roundId }) => ({ phase, name, host, roundId }))).toEqual(
    proxied.map(({ id }) => ({ phase: 'process', name: 'proxy', host: 'laptop', roundId: id })),
  );
  for (const { output } of scripts) {
    expect(output).toMatch(/^the proxy listens$/m);
    expect(passed(output)).toBe(1);
  }
  expect(await isListening()).toBe(false);
});

test('one that lasts for the Run is started once, and ended with the Run', async () => {
  const { state, scripts } = await run(scenariosWith({ lifetime: 'run' }));
  expect(state).toBe('completed');
  expect(scripts.map(({ output }) => [/^the proxy listens$/m.test(output), passed(output)])).toEqual([
    [true, 1],
    [false, 1],
  ]);
  expect(await isListening()).toBe(false);
});

test('one that dies breaks its Round at once, with its last words', async () => {
  const [direct, proxied] = scenariosWith({});
  Object.assign(proxied!.processes![0]!.environment!, { REQUESTS: '1' });
  const { state, problem, scripts, rounds } = await run([direct!, proxied!]);
  expect(state).toBe('failed');
  expect(problem).toContain(
    'The process "proxy" of "with a proxy" on host "laptop" ended with status 7: the licence has expired',
  );
  expect(rounds.filter(({ scenario, state: each }) => scenario === 'with a proxy' && each === 'broken')).toHaveLength(
    2,
  );
  expect(scripts.map((script) => script.problem)).toEqual(['ended with status 7', 'ended with status 7']);
  expect(await isListening()).toBe(false);
});

test('one that is never ready breaks its Round, with what was waited for', async () => {
  const { problem } = await run(scenariosWith({ readyWhen: { line: 'ready to serve' }, timeoutMs: 500 }));
  expect(problem).toContain('was not ready within 500 ms: it has not printed "ready to serve": the proxy listens');
  expect(await isListening()).toBe(false);
});

test('an Agent without --allow-scripts starts none, and the Run says what to do', async () => {
  await using careful = await joinAgent(controller.controller, { name: 'careful' });
  expect(careful).toBeDefined();
  const [direct, proxied] = scenariosWith({ host: 'careful' });
  const { state, problem } = await run([direct!, proxied!], ['careful']);
  expect(state).toBe('failed');
  expect(problem).toContain('Agent "careful" runs without --allow-scripts');
});
