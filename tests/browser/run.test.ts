import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { drawRests } from '#core/evaluation/draw-rests.ts';
import type { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import type { ScenarioSchema } from '#core/evaluation/scenario.ts';
import { expandEvaluation } from '#core/evaluation/expand-evaluation.ts';
import { StoredEvaluationSchema } from '#core/protocol/api/stored-evaluation.ts';
import { RunSummarySchema } from '#core/protocol/api/run.ts';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { postJson, startTestController, type TestController } from '../support/controller.ts';
import { awaitRun } from './support/await-run.ts';
import { joinAgent } from './support/join-real-agent.ts';

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

type EvaluationInput = z.input<typeof EvaluationSchema>;
type ScenarioInput = z.input<typeof ScenarioSchema>;

function evaluationWith(change: Partial<EvaluationInput>): EvaluationInput {
  return {
    name: 'Two users',
    urlLists: { pages: [`${origin.httpUrl}/images/{1,3}`] },
    userAgents: ['alice', 'bob'].map((name) => ({ name, host: 'laptop', urlList: 'pages' })),
    scenarios: [{ name: 'as it is', baseline: true }, { name: 'also as it is' }],
    pageLoad: { restMs: 0, quietMs: 100 },
    repetition: { rounds: 2, warmUp: false, attempts: 2 },
    ...change,
  };
}

async function startRun(evaluation: EvaluationInput, seed?: number): Promise<string> {
  const stored = await test.program('/api/evaluations', postJson(evaluation));
  expect(stored.status).toBe(201);
  const { id } = StoredEvaluationSchema.parse(await stored.json());
  const response = await test.program(`/api/evaluations/${id}/runs`, postJson(seed === undefined ? {} : { seed }));
  expect(response.status).toBe(201);
  return RunSummarySchema.parse(await response.json()).id;
}

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

describe('a Run', () => {
  it('has every User Agent load every URL in every Round, at the same time, and compares what came out', async () => {
    origin.truth.clear();
    const evaluation = evaluationWith({});
    const runId = await startRun(evaluation, 7);
    const run = await awaitRun(test.program, runId);
    expect(run).toMatchObject({
      state: 'completed',
      problem: null,
      seed: 7,
      roundsPlanned: 4,
      roundsCompleted: 4,
      visits: 16,
      failedVisits: 0,
      missingAgents: [],
    });
    expect(run.rounds.map(({ block, scenario }) => ({ block, scenario }))).toEqual(
      expandEvaluation(run.evaluation, 7).map(({ block, scenario }) => ({ block, scenario })),
    );

    // Four Rounds of two users, each page once: what the origin saw is what was ordered.
    const pages = origin.truth.requests().filter((request) => request.counts === 'base');
    expect(pages).toHaveLength(16);
    for (const round of run.rounds) {
      expect(round.startSkewMs).toBeGreaterThanOrEqual(0);
      expect(round.startSkewMs).toBeLessThan(1000);
    }

    const comparison = ComparisonSchema.parse(await (await test.program(`/api/runs/${runId}/comparison`)).json());
    const total = comparison.metrics.find(({ metric }) => metric === 'totalMs')!;
    expect(total.scenarios).toEqual([
      expect.objectContaining({
        scenario: 'as it is',
        isBaseline: true,
        visits: 8,
        failedVisits: 0,
        absentVisits: 0,
        reduction: null,
      }),
      expect.objectContaining({
        scenario: 'also as it is',
        visits: 8,
        reduction: expect.objectContaining({ blocks: 2 }) as unknown,
      }),
    ]);
    expect(total.cells).toHaveLength(3 * 2 * 2);

    // The mean that the report shows is the mean of the rows that the export gives.
    const rows = (await (await test.program(`/api/runs/${runId}/visits?format=json`)).json()) as {
      scenario: string;
      total_ms: number;
    }[];
    const own = rows.filter(({ scenario }) => scenario === 'as it is').map(({ total_ms }) => total_ms);
    expect(total.scenarios[0]!.estimate!.mean).toBeCloseTo(own.reduce((sum, value) => sum + value, 0) / own.length, 6);
  });

  it('runs the scripts of a Scenario around each of its Rounds, and keeps what they printed', async () => {
    const run = await awaitRun(
      test.program,
      await startRun(
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

  it('takes a page that fails as a result', async () => {
    const run = await awaitRun(
      test.program,
      await startRun(
        evaluationWith({
          urlLists: { pages: [`${origin.httpUrl}/status/500`, `${origin.httpUrl}/images/1`] },
          repetition: { rounds: 1, warmUp: false },
        }),
      ),
    );
    expect(run).toMatchObject({ state: 'completed', visits: 8, failedVisits: 4 });
    const rows = (await (await test.program(`/api/runs/${run.id}/visits?format=json`)).json()) as {
      url: string;
      status: string;
      code: string | null;
    }[];
    expect(new Set(rows.map(({ url, status, code }) => `${new URL(url).pathname} ${status} ${code}`))).toEqual(
      new Set(['/status/500 failed http-server-error', '/images/1 ok null']),
    );
  });

  it('lets a User Agent begin later, visit more often and think, and reports the start skew against the intended offset', async () => {
    origin.truth.clear();
    const startOffsetMs = 1500;
    const seed = 11;
    const evaluation = evaluationWith({
      userAgents: [
        { name: 'alice', host: 'laptop', urlList: 'pages' },
        {
          name: 'bob',
          host: 'laptop',
          urlList: 'pages',
          visitsPerUrl: 2,
          restMs: { exponential: 600 },
          startOffsetMs,
        },
      ],
      repetition: { rounds: 1, warmUp: false },
    });
    const run = await awaitRun(test.program, await startRun(evaluation, seed));
    expect(run).toMatchObject({ state: 'completed', visits: 2 * (2 + 4) });
    const rows = (await (await test.program(`/api/runs/${run.id}/visits?format=json`)).json()) as {
      user_agent: string;
      scenario: string;
      sequence: number;
      started_at: string;
      total_ms: number;
    }[];
    const thinksMs = drawRests({ exponential: 600 }, { seed, block: 1, userIndex: 1 }, 4);
    for (const round of run.rounds) {
      const visitsOf = (name: string) =>
        rows.filter(({ user_agent, scenario }) => user_agent === name && scenario === round.scenario);
      const startsOf = (name: string) => visitsOf(name).map(({ started_at }) => Date.parse(started_at));
      expect(visitsOf('alice')).toHaveLength(2);
      expect(visitsOf('bob')).toHaveLength(4);
      expect(startsOf('bob')[0]! - startsOf('alice')[0]!).toBeGreaterThan(startOffsetMs - 100);
      expect(round.startSkewMs).toBeLessThan(1000);
      // Each begins after the one before, its load and the think time that was drawn.
      const [starts, visits] = [startsOf('bob'), visitsOf('bob')];
      for (const index of [1, 2, 3])
        expect(starts[index]! - starts[index - 1]!).toBeGreaterThan(visits[index - 1]!.total_ms + thinksMs[index]!);
    }
  });

  it('waits for its turn while another is under way', async () => {
    const first = await startRun(evaluationWith({ repetition: { rounds: 1, warmUp: false } }));
    const second = await startRun(evaluationWith({ repetition: { rounds: 1, warmUp: false } }));
    const [one, two] = await Promise.all([awaitRun(test.program, first), awaitRun(test.program, second)]);
    expect([one.state, two.state]).toEqual(['completed', 'completed']);
    expect(Date.parse(two.startedAt!)).toBeGreaterThanOrEqual(Date.parse(one.endedAt!));
  });

  it('loads each URL once unmeasured when it is warm, and leaves that load out of the comparison', async () => {
    origin.truth.clear();
    const run = await awaitRun(
      test.program,
      await startRun(
        evaluationWith({
          pageLoad: { restMs: 0, quietMs: 100, cache: 'warm', visitsPerUrl: 2 },
          scenarios: [{ name: 'warm', baseline: true }],
          repetition: { rounds: 1, warmUp: false },
        }),
      ),
    );
    const rows = (await (await test.program(`/api/runs/${run.id}/visits?format=json`)).json()) as {
      user_agent: string;
      repetition: number;
    }[];
    expect(rows.filter(({ user_agent }) => user_agent === 'alice').map(({ repetition }) => repetition)).toEqual([
      0, 1, 2, 0, 1, 2,
    ]);
    const comparison = ComparisonSchema.parse(await (await test.program(`/api/runs/${run.id}/comparison`)).json());
    expect(comparison.metrics[0]!.scenarios[0]!.visits).toBe(8);
    // Each of the three images came once for each user; afterwards it was in the cache.
    expect(origin.truth.requests().filter(({ counts }) => counts === 'viewport')).toHaveLength(2 * 3);
  });
});

describe('an Agent without --allow-scripts', () => {
  it('runs none', async () => {
    await using careful = new AsyncDisposableStack();
    careful.use(await joinAgent(test.controller, { name: 'careful' }));
    const scenarios: ScenarioInput[] = [
      { name: 'PEP', baseline: true, setUp: [{ host: 'careful', script: `touch ${folder}/was-here` }] },
    ];
    const run = await awaitRun(test.program, await startRun(evaluationWith({ scenarios })));
    expect(run.state).toBe('failed');
    expect(run.problem).toContain('Agent "careful" runs without --allow-scripts: start it with that option');
    await expect(readFile(path.join(folder, 'was-here'))).rejects.toThrow('ENOENT');
  });
});
