import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { startTestController, type TestController } from '../support/controller.ts';
import { awaitRun } from '../browser/support/await-run.ts';
import { evaluationOfTwo, startRun } from '../browser/support/two-users.ts';
import { startMeasuringAgent } from './controllers/support/measuring-agent.ts';

let origin: Origin;
let controller: TestController;
let agent: AsyncDisposable;

beforeAll(async () => {
  origin = await startOrigin();
  controller = await startTestController();
  const { pool, url: controllerUrl } = controller.controller;
  agent = await startMeasuringAgent({ pool, controllerUrl, name: 'laptop' });
});

afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  await controller[Symbol.asyncDispose]();
  await origin.close();
});

test('users in step begin each page when all have ended the one before, also where it failed', async () => {
  const pagesOf = (name: string, paths: string[]) =>
    paths.map((each, index) => `${origin.httpUrl}${each}${each.includes('?') ? '&' : '?'}visit=${name}-${index + 1}`);
  const evaluation = evaluationOfTwo(origin.httpUrl, {
    urlLists: {
      gold: pagesOf('gold', ['/images/0', '/images/0', '/images/0']),
      // It has one page less.
      bronze: pagesOf('bronze', ['/slow-first-byte?delayMs=1500', '/status/404']),
    },
    userAgents: ['gold', 'bronze'].map((name) => ({ name, host: 'laptop', engine: 'http', urlList: name })),
    scenarios: [{ name: 'as it is', baseline: true }],
    repetition: { rounds: 1, warmUp: false, attempts: 1, barrier: 'page' },
  });
  const run = await awaitRun(controller.program, await startRun(controller, evaluation));
  expect(run).toMatchObject({ state: 'completed', problem: null, visits: 5, failedVisits: 1 });
  expect(run.rounds[0]!.pageSkewMs).not.toBeNull();
  /** `+` when a page was asked for, `-` when it had been answered. */
  const seen = origin.truth
    .requests()
    .filter(({ counts }) => counts === 'base')
    .flatMap(({ visit, arrivedEpochMs, endedEpochMs }) => [
      { what: `+${visit}`, atMs: arrivedEpochMs },
      { what: `-${visit}`, atMs: endedEpochMs! },
    ])
    .toSorted((one, other) => one.atMs - other.atMs)
    .map(({ what }) => what);
  const pages = [seen.slice(0, 4), seen.slice(4, 8), seen.slice(8)].map((page) => page.toSorted());
  expect(pages).toEqual([
    ['+bronze-1', '+gold-1', '-bronze-1', '-gold-1'],
    ['+bronze-2', '+gold-2', '-bronze-2', '-gold-2'],
    ['+gold-3', '-gold-3'],
  ]);
});
