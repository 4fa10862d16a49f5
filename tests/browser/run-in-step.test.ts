import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { startTestController, type TestController } from '../support/controller.ts';
import { awaitRun } from './support/await-run.ts';
import { joinExtension } from './support/join-extension.ts';
import { joinAgent } from './support/join-real-agent.ts';
import { evaluationOfTwo, startRun, type EvaluationInput } from './support/two-users.ts';

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

/** The pages of two users: the first page of bronze comes late, and gold has one page more. */
const listsOf = (url: string): EvaluationInput['urlLists'] => ({
  gold: [1, 2, 3].map((page) => `${url}/images/0?visit=gold-${page}`),
  bronze: [`${url}/slow-first-byte?delayMs=1500&visit=bronze-1`, `${url}/status/404?visit=bronze-2`],
});

/** What the origin saw of each page, in order: `+` when it was asked for, `-` when it had been answered. */
async function runAndRead(change: Partial<EvaluationInput>): Promise<string[]> {
  origin.truth.clear();
  const evaluation = evaluationOfTwo(origin.httpUrl, {
    urlLists: listsOf(origin.httpUrl),
    userAgents: ['gold', 'bronze'].map((name) => ({ name, host: 'laptop', engine: 'http', urlList: name })),
    scenarios: [{ name: 'as it is', baseline: true }],
    ...change,
  });
  const run = await awaitRun(controller.program, await startRun(controller, evaluation));
  expect(run).toMatchObject({ state: 'completed', problem: null, visits: 5, failedVisits: 1 });
  return origin.truth
    .requests()
    .filter(({ counts }) => counts === 'base')
    .flatMap(({ visit, arrivedEpochMs, endedEpochMs }) => [
      { what: `+${visit}`, atMs: arrivedEpochMs },
      { what: `-${visit}`, atMs: endedEpochMs! },
    ])
    .toSorted((one, other) => one.atMs - other.atMs)
    .map(({ what }) => what);
}

const once = { rounds: 1, warmUp: false, attempts: 1 };

test('users in step begin each page when all have ended the one before, also where it failed', async () => {
  const seen = await runAndRead({ repetition: { ...once, barrier: 'page' } });
  const place = (what: string) => seen.indexOf(what);
  expect(place('-bronze-1')).toBeLessThan(Math.min(place('+gold-2'), place('+bronze-2')));
  expect(place('-bronze-2')).toBeLessThan(place('+gold-3'));
  expect(seen.at(-1)).toBe('-gold-3');
});

test('users that are not continue each by itself', async () => {
  const seen = await runAndRead({ repetition: once });
  expect(seen.indexOf('-gold-3')).toBeLessThan(seen.indexOf('-bronze-1'));
});

test('the extension keeps step with other engines', async () => {
  await using extension = await joinExtension(controller.controller, { target: 'chrome', name: 'person' });
  expect(extension.current.browser).not.toBeNull();
  const seen = await runAndRead({
    repetition: { ...once, barrier: 'page' },
    userAgents: [
      { name: 'gold', host: 'person', engine: 'extension', urlList: 'gold' },
      { name: 'bronze', host: 'laptop', engine: 'http', urlList: 'bronze' },
    ],
    capture: { enabled: false },
  });
  expect(seen.indexOf('-bronze-1')).toBeLessThan(seen.indexOf('+gold-2'));
  expect(seen.indexOf('-bronze-2')).toBeLessThan(seen.indexOf('+gold-3'));
});
