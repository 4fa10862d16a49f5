import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StoredEvaluationSchema } from '#core/protocol/api/evaluation.ts';
import { RunSummarySchema } from '#core/protocol/api/run.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { postJson, startTestController, type TestController } from '../support/controller.ts';
import { awaitRun } from './support/await-run.ts';
import { joinExtension, type JoinedExtension } from './support/join-extension.ts';

let origin: Origin;
let test: TestController;

beforeAll(async () => {
  origin = await startOrigin();
  test = await startTestController();
});

afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await origin.close();
});

describe.each(['chrome'] as const)('the extension in %s', (target) => {
  let extension: JoinedExtension;
  beforeAll(async () => {
    extension = await joinExtension(test.controller, { target, name: target });
  });
  afterAll(() => extension[Symbol.asyncDispose]());

  it('makes a Run', async () => {
    const stored = await test.program('/api/evaluations', postJson({
      name: 'Extension', urlLists: { pages: [`${origin.httpUrl}/images/{1,3}`] },
      userAgents: [{ name: 'ann', host: target, engine: 'extension', urlList: 'pages' }],
      scenarios: [{ name: 'a', baseline: true }, { name: 'b' }],
      pageLoad: { restMs: 0, quietMs: 100 }, repetition: { rounds: 2, warmUp: false, attempts: 1 }, capture: { enabled: false },
    }));
    const { id } = StoredEvaluationSchema.parse(await stored.json());
    const response = await test.program(`/api/evaluations/${id}/runs`, postJson({}));
    const run = await awaitRun(test.program, RunSummarySchema.parse(await response.json()).id);
    console.log(JSON.stringify(run.rounds, null, 1).slice(0, 3000), run.problem);
    const visits = await test.controller.pool.query('select * from visit limit 1');
    console.log(JSON.stringify(visits.rows[0]).slice(0, 4000));
    expect(run).toMatchObject({ state: 'completed', visits: 8, failedVisits: 0 });
  });
});
