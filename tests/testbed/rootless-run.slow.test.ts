import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown } from 'node:fs/promises';
import path from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { issueToken } from '#controller/people/tokens.ts';
import { markOfHost } from '#agent/own-folder.ts';
import { openStageInUserNamespace } from '#cli/demo/run-demo.ts';
import type { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { AgentSummarySchema } from '#core/protocol/api/access.ts';
import { CaptureDetailSchema } from '#core/protocol/api/stored-capture.ts';
import { StoredEvaluationSchema } from '#core/protocol/api/stored-evaluation.ts';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { awaitRun } from '../browser/support/await-run.ts';
import { findChrome } from '../browser/support/find-chrome.ts';
import { postJson, startTestController, type TestController } from '../support/controller.ts';
import { announceOwnController } from '../support/announce-own-controller.ts';
import { expectCompleted } from '../support/expect-completed.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

const main = path.resolve(import.meta.dirname, '../../cli/main.ts');
const resources = new AsyncDisposableStack();
const ownerToken = 'hae_owner_secret';
let controller: TestController;
let token: string;
let homeFolder: string;

beforeAll(async () => {
  homeFolder = resources.use(await makeTemporaryFolder()).path;
  controller = resources.use(await startTestController({ ownerToken }));
  token = (await issueToken(controller.controller.pool, { name: 'testbed', scope: 'agent' })).token;
});
afterAll(() => resources.disposeAsync());

test('a testbed in a user namespace joins a Controller outside of it, also by who is not root; killed, it leaves nothing', async () => {
  const words = [
    '--user',
    '--map-user=1000',
    '--map-group=1000',
    '--',
    process.execPath,
    main,
    'testbed',
    'up',
    'cable',
    '--users',
    '1',
    '--join',
  ];
  await using resourcesOfTest = new AsyncDisposableStack();
  resourcesOfTest.use(await announceOwnController(homeFolder, { url: controller.controller.url, ownerToken }));
  const held = spawn('unshare', words, {
    env: { ...process.env, HTTP_AE_HOME: homeFolder, HTTP_AE_CHROME: findChrome() },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void held.kill('SIGKILL'));
  let errors = '';
  held.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const closed = once(held, 'close'); // when no process of it holds its output
  const listConnected = async () =>
    z
      .array(AgentSummarySchema)
      .parse(await (await controller.program('/api/agents')).json())
      .filter(({ isConnected }) => isConnected)
      .map(({ name }) => name);
  await expect
    .poll(async () => (held.exitCode === null ? (await listConnected()).toSorted() : errors), {
      timeout: 60_000,
      interval: 200,
    })
    .toEqual(['ground', 'remote', 'testbed', 'user1']);
  held.kill('SIGKILL');
  expect(await closed).toEqual([null, 'SIGKILL']);
  await expect.poll(listConnected, { timeout: 20_000 }).toEqual([]);
});

test('the demo of who is not root measures over the emulated link, each User Agent from an address of its own', async () => {
  // What the Agent of another user has left is none of its business.
  await using foreign = await makeTemporaryFolder(`http-ae-browser-${markOfHost}-99999999-`);
  await chown(foreign.path, 20_001, 20_001);
  const said: string[] = [];
  const options = {
    controllerUrl: controller.controller.url,
    token,
    subject: 'http2' as const,
    site: null,
    chromePath: findChrome(),
    homeFolder,
    isVerbose: false,
    say: (line: string) => void said.push(line),
    log: pino({ level: 'silent' }),
    signal: AbortSignal.timeout(120_000),
  };
  await using stage = await openStageInUserNamespace(options);
  const evaluation = parse(stage.evaluationYaml) as z.input<typeof EvaluationSchema>;
  const [first] = evaluation.scenarios;
  const [url] = evaluation.urlLists.images as [{ url: string }];
  const urlLists = { images: [url.url.replace(/\{.*\}/, '6')] };
  // Without real-time priority a busy machine may miss the bounds of a rate, which is not what is tested here.
  const way = { delayMs: 300 };
  const scenarios = [{ ...first, network: { link: { preset: 'none', forward: way, return: way } } }];
  const short = { ...evaluation, urlLists, scenarios, repetition: { rounds: 1, warmUp: false, attempts: 10 } };
  const { id } = StoredEvaluationSchema.parse(
    await (await controller.program('/api/evaluations', postJson(short))).json(),
  );
  const started = RunSummarySchema.parse(
    await (await controller.program(`/api/evaluations/${id}/runs`, postJson({}))).json(),
  );
  const broken = new Promise<never>((_, reject) =>
    stage.failed.addEventListener('abort', () => reject(stage.failed.reason as Error)),
  );
  const run = await Promise.race([awaitRun(controller.program, started.id), broken]);
  expectCompleted(run, { failedVisits: 0 });

  const completed = run.rounds.find(({ state }) => state === 'completed')!;
  expect(completed.linkCheck?.findings.find(({ figure }) => figure === 'round trip')?.measured).toBeGreaterThan(600);
  for (const [index, pass] of completed.passes.entries()) {
    const { outcome } = CaptureDetailSchema.parse(
      await (await controller.program(`/api/passes/${pass.id}/capture`)).json(),
    );
    if (outcome.kind === 'absent') throw new Error(outcome.reason);
    expect(
      new Set(outcome.statistics.connections.map(({ client, server }) => `${client.address} → ${server.address}`)),
    ).toEqual(new Set([`198.19.1.${index + 1} → 198.19.0.1`]));
    expect(outcome.statistics.directions?.received.bytes).toBeGreaterThan(30_000);
  }
});
