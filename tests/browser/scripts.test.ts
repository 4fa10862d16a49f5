import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { ScenarioSchema } from '#core/evaluation/scenarios/scenario.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { postJson, startTestController, type TestController } from '../support/controller.ts';
import { awaitRun } from './support/await-run.ts';
import { joinAgent } from './support/join-real-agent.ts';
import { evaluationOfTwo, startRun, type EvaluationInput } from './support/two-users.ts';

let origin: Origin;
let test: TestController;
let agent: AsyncDisposable;
let folder: string;

beforeAll(async () => {
  origin = await startOrigin();
  test = await startTestController();
  agent = await joinAgent(test.controller, { allowScripts: true });
});

afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  await test[Symbol.asyncDispose]();
  await origin.close();
});

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'http-ae-test-'));
  return () => rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
});

type ScenarioInput = z.input<typeof ScenarioSchema>;

const evaluationWith = (change: Partial<EvaluationInput>) => evaluationOfTwo(origin.httpUrl, change);

/** Scripts that write down that they ran, into a file that is looked at afterwards. */
function scriptsOf(change: { setUp?: string } = {}): Pick<ScenarioInput, 'setUp' | 'tearDown'> {
  const note = (phase: string) => `echo "${phase} $HTTP_AE_SCENARIO" >> ${folder}/log`;
  return {
    setUp: [{ host: 'laptop', script: change.setUp ?? note('up') }],
    tearDown: [{ host: 'laptop', script: note('down') }],
  };
}

async function notes(): Promise<string[]> {
  return (await readFile(path.join(folder, 'log'), 'utf8')).trim().split('\n');
}

describe('scripts of a Scenario', () => {
  it('runs the scripts of a Scenario around each of its Rounds, and keeps what they printed', async () => {
    const run = await awaitRun(
      test.program,
      await startRun(
        test,
        evaluationWith({
          scenarios: [
            { name: 'plain', baseline: true },
            {
              name: 'PEP',
              ...scriptsOf({ setUp: `echo "proxy is up"; echo "up $HTTP_AE_SCENARIO" >> ${folder}/log` }),
            },
          ],
          repetition: { rounds: 2, warmUp: false, order: 'sequential' },
        }),
      ),
    );
    expect(run.state).toBe('completed');
    expect(await notes()).toEqual(['up PEP', 'down PEP', 'up PEP', 'down PEP']);
    expect(run.scripts.map(({ phase, exitCode, output }) => ({ phase, exitCode, output }))).toEqual(
      [1, 2].flatMap(() => [
        { phase: 'set-up', exitCode: 0, output: 'proxy is up\n' },
        { phase: 'tear-down', exitCode: 0, output: '' },
      ]),
    );
  });

  it('tries a Round again whose set-up failed, tears down all the same, and fails with the script’s own words', async () => {
    const run = await awaitRun(
      test.program,
      await startRun(
        test,
        evaluationWith({
          scenarios: [{ name: 'PEP', baseline: true, ...scriptsOf({ setUp: 'echo "no such proxy" >&2; exit 3' }) }],
        }),
      ),
    );
    expect(run.state).toBe('failed');
    expect(run.problem).toBe(
      'The Round of Block 1 of "PEP" was broken 2 times. Last problem: The set-up script of "PEP" on host "laptop" ended with status 3: no such proxy',
    );
    expect(run.rounds.map(({ state, attempt }) => ({ state, attempt }))).toEqual([
      { state: 'broken', attempt: 1 },
      { state: 'broken', attempt: 2 },
    ]);
    expect(await notes()).toEqual(['down PEP', 'down PEP']);
    expect(run.visits).toBe(0);
  });

  it('stops when asked, in the middle of a Pass, and tears down', async () => {
    const runId = await startRun(
      test,
      evaluationWith({
        urlLists: { pages: [`${origin.httpUrl}/hang`] },
        scenarios: [{ name: 'PEP', baseline: true, ...scriptsOf() }],
      }),
    );
    await awaitRun(test.program, runId, (run) =>
      run.rounds.some((round) => round.passes.every((pass) => pass.state === 'running')),
    );
    expect((await test.program(`/api/runs/${runId}/stop`, postJson({}))).status).toBe(200);
    const run = await awaitRun(test.program, runId);
    expect(run).toMatchObject({ state: 'stopped', problem: null });
    expect(run.rounds).toEqual([
      expect.objectContaining({ state: 'broken', problem: 'The evaluator stopped the Run' }),
    ]);
    expect(await notes()).toEqual(['up PEP', 'down PEP']);
  });
});

describe('an Agent without --allow-scripts', () => {
  it('runs none', async () => {
    await using careful = new AsyncDisposableStack();
    careful.use(await joinAgent(test.controller, { name: 'careful' }));
    const scenarios: ScenarioInput[] = [
      { name: 'PEP', baseline: true, setUp: [{ host: 'careful', script: `touch ${folder}/was-here` }] },
    ];
    const run = await awaitRun(test.program, await startRun(test, evaluationWith({ scenarios })));
    expect(run.state).toBe('failed');
    expect(run.problem).toContain('Agent "careful" runs without --allow-scripts: start it with that option');
    await expect(readFile(path.join(folder, 'was-here'))).rejects.toThrow('ENOENT');
  });
});
