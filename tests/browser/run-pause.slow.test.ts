import { afterAll, beforeAll, expect, test } from 'vitest';
import { StoredEvaluationSchema } from '#core/protocol/api/stored-evaluation.ts';
import { RunDetailSchema, type RunDetail } from '#core/protocol/api/run.ts';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { postJson, startTestController, type TestController } from '../support/controller.ts';
import { awaitRun } from './support/await-run.ts';
import { joinAgent } from './support/join-real-agent.ts';

let origin: Origin;
let controller: TestController;
let agent: AsyncDisposable;
beforeAll(async () => {
  origin = await startOrigin();
  controller = await startTestController();
  agent = await joinAgent(controller.controller);
});
afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  await controller[Symbol.asyncDispose]();
  await origin.close();
});

async function requestRun(): Promise<string> {
  const evaluation = {
    name: 'Paused',
    urlLists: { pages: [`${origin.httpUrl}/images/1`] },
    userAgents: [{ name: 'alice', host: 'laptop', engine: 'http', urlList: 'pages' }],
    scenarios: [{ name: 'as it is', baseline: true }],
    pageLoad: { restMs: 0, quietMs: 50 },
    repetition: { rounds: 2, warmUp: false },
  };
  const { id } = StoredEvaluationSchema.parse(
    await (await controller.program('/api/evaluations', postJson(evaluation))).json(),
  );
  return RunSummarySchema.parse(await (await controller.program(`/api/evaluations/${id}/runs`, postJson({}))).json())
    .id;
}

const isResting = ({ pausedAt, startedAt, rounds }: RunDetail) =>
  pausedAt !== null && startedAt !== null && rounds.every(({ state }) => state === 'completed');

test('a paused Run ends its Round, begins no other, and continues to its end when it is resumed', async () => {
  const runId = await requestRun();
  await controller.program(`/api/runs/${runId}/pause`, postJson({}));
  const resting = await awaitRun(controller.program, runId, isResting);
  expect(resting.state).toBe('running');

  // A second Run would take the turn of one that has ended: the paused one keeps it.
  const waitingId = await requestRun();
  const paused = RunDetailSchema.parse(await (await controller.program(`/api/runs/${runId}`)).json());
  expect(paused.roundsCompleted).toBeLessThan(paused.roundsPlanned);
  expect(RunDetailSchema.parse(await (await controller.program(`/api/runs/${waitingId}`)).json()).state).toBe(
    'pending',
  );

  await controller.program(`/api/runs/${waitingId}/stop`, postJson({}));

  await controller.program(`/api/runs/${runId}/resume`, postJson({}));
  expect(await awaitRun(controller.program, runId)).toMatchObject({
    state: 'completed',
    pausedAt: null,
    roundsCompleted: 2,
  });
});

test('a paused Run can be stopped', async () => {
  const runId = await requestRun();
  await controller.program(`/api/runs/${runId}/pause`, postJson({}));
  await awaitRun(controller.program, runId, isResting);
  await controller.program(`/api/runs/${runId}/stop`, postJson({}));
  expect(await awaitRun(controller.program, runId)).toMatchObject({ state: 'stopped', pausedAt: null, problem: null });
});
