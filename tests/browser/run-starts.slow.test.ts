import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawRests } from '#controller/coordinator/order-passes.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { startTestController, type TestController } from '../support/controller.ts';
import { judgeTime } from '../support/judge-time.ts';
import { awaitRun } from './support/await-run.ts';
import { joinAgent } from './support/join-real-agent.ts';
import { evaluationOfTwo, startRun, type EvaluationInput } from './support/two-users.ts';

let origin: Origin;
let test: TestController;
let agent: AsyncDisposable;

beforeAll(async () => {
  origin = await startOrigin();
  test = await startTestController();
  agent = await joinAgent(test.controller);
});

afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  await test[Symbol.asyncDispose]();
  await origin.close();
});

const evaluationWith = (change: Partial<EvaluationInput>) => evaluationOfTwo(origin.httpUrl, change);

describe('a Run', () => {
  it('lets a User Agent begin later, visit more often and think, and reports the start skew against the intended offset', async (context) => {
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
    const measure = async () => {
      const run = await awaitRun(test.program, await startRun(test, evaluation, seed));
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
        // Each begins after the one before, its load and the think time that was drawn.
        const [starts, visits] = [startsOf('bob'), visitsOf('bob')];
        for (const index of [1, 2, 3])
          expect(starts[index]! - starts[index - 1]!).toBeGreaterThan(visits[index - 1]!.total_ms + thinksMs[index]!);
      }
      return run.rounds.map(({ startSkewMs }) => startSkewMs);
    };
    await judgeTime(context, {
      measure,
      holds: (skewsMs) => expect(skewsMs.filter((skewMs) => skewMs === null || skewMs >= 1000)).toEqual([]),
    });
  });
});
