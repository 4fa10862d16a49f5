import { expect, test } from 'vitest';
import { createRun } from '#controller/runs/stored-runs.ts';
import { RunDetailSchema } from '#core/protocol/api/run.ts';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { StoredEvaluationSchema } from '#core/protocol/api/stored-evaluation.ts';
import { VisitDetailSchema } from '#core/protocol/api/stored-visit.ts';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { postJson, startTestController } from '../../support/controller.ts';
import { joinAgent } from '../../support/join-agent.ts';
import { makeEvaluation } from '../../support/sample-evaluation.ts';
import { storeCompletedRun } from '../../support/stored-run.ts';
import { holdForAll } from '#tests/support/hold.ts';

const it = holdForAll(() => startTestController());

test('a request for a Run needs no body, and a seed must be a whole number', async () => {
  const evaluation = StoredEvaluationSchema.parse(
    await (await it.program('/api/evaluations', postJson(makeEvaluation()))).json(),
  );
  const path = `/api/evaluations/${evaluation.id}/runs`;
  expect((await it.program(path, postJson({ seed: 1.5 }))).status).toBe(400);
  // Without a length, as curl sends what it reads from a pipe.
  const body = () => new Blob(['{"labels":{"build":"7"}}']).stream();
  for (const type of ['text/plain', 'application/yaml']) {
    const sent = { method: 'POST', headers: { 'content-type': type }, body: body(), duplex: 'half' } as const;
    const refused = await it.program(path, sent);
    expect([refused.status, ((await refused.json()) as { message: string }).message]).toEqual([
      400,
      `The content type of the body must be "application/json", not "${type}"`,
    ]);
  }
  const run = RunSummarySchema.parse(await (await it.program(path, { method: 'POST' })).json());
  expect((await it.program(`/api/runs/${run.id}/stop`, { method: 'POST' })).status).toBe(200);
});

test('a Run is run again as it was, though its Evaluation was changed and deleted since', async () => {
  const { runId, evaluationId } = await storeCompletedRun(it.controller.pool);
  const changed = { ...makeEvaluation(), urlLists: { pages: ['http://origin.test/other'] } };
  expect(
    (await it.program(`/api/evaluations/${evaluationId}?version=1`, { ...postJson(changed), method: 'PUT' })).ok,
  ).toBe(true);
  expect((await it.program(`/api/evaluations/${evaluationId}`, { method: 'DELETE' })).ok).toBe(true);

  const answer = await it.program(`/api/runs/${runId}/again`, postJson({ seed: 12 }));
  expect(answer.status).toBe(201);
  const { id } = RunSummarySchema.parse(await answer.json());
  const readRun = async (run: string) => RunDetailSchema.parse(await (await it.program(`/api/runs/${run}`)).json());
  expect(await readRun(id)).toMatchObject({ seed: 12, evaluationId, evaluation: (await readRun(runId)).evaluation });
  expect((await it.program(`/api/runs/${id}/stop`, { method: 'POST' })).ok).toBe(true);
  expect((await it.program('/api/runs/999999/again', { method: 'POST' })).status).toBe(404);
});

test('an Evaluation that changes what a Run measured names that Run, and so do its Runs', async () => {
  const { runId } = await storeCompletedRun(it.controller.pool);
  const answer = await it.program(`/api/evaluations?changedFromRun=${runId}`, postJson(makeEvaluation()));
  const { id, changedFromRun } = StoredEvaluationSchema.parse(await answer.json());
  expect(changedFromRun).toBe(runId);
  const run = RunSummarySchema.parse(
    await (await it.program(`/api/evaluations/${id}/runs`, { method: 'POST' })).json(),
  );
  expect(run.changedFromRun).toBe(runId);
  expect((await it.program(`/api/runs/${run.id}/stop`, { method: 'POST' })).ok).toBe(true);
  expect((await it.program('/api/evaluations?changedFromRun=999999', postJson(makeEvaluation()))).status).toBe(404);
});

test('a completed Run is shown with its Rounds, its Visits, and its comparison', async () => {
  const failingUrl = 'http://origin.test/plain';
  const { runId, evaluationId, visits } = await storeCompletedRun(it.controller.pool, { failingUrl });

  const detail = RunDetailSchema.parse(await (await it.program(`/api/runs/${runId}`)).json());
  expect(detail).toMatchObject({
    state: 'completed',
    roundsPlanned: 6,
    roundsCompleted: 6,
    visits: 36,
    failedVisits: 12,
    evaluationId,
  });
  expect(detail.rounds.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(detail.rounds[0]!.passes).toEqual(
    ['alice', 'bob'].map((userAgent) => ({
      id: expect.any(String) as string,
      userAgent,
      agent: 'laptop',
      state: 'completed',
      visitsExpected: 3,
      visitsMade: 3,
      visitsFailed: 1,
      visitsUnsettled: 0,
      visitsRefused: 0,
      failures: { timeout: 1 },
      currentUrl: null,
      lastUrl: null,
      lastTotalMs: null,
      problem: null,
      hostLoad: null,
      captureAbsence: expect.stringMatching(/^This User Agent has no address of its own/) as string,
    })),
  );

  const read = async (path: string) => (await it.program(`/api/runs/${runId}${path}`)).json() as Promise<unknown>;
  const shown = RunDetailSchema.parse(await read('?passes=current'));
  expect(shown.rounds.map(({ passes }) => passes.length)).toEqual([0, 0, 0, 0, 0, 2]);
  expect(shown.rounds.map(({ totals }) => totals)).toEqual(
    Array(6).fill({ visitsMade: 6, visitsFailed: 2, visitsUnsettled: 0, visitsRefused: 0, failures: { timeout: 2 } }),
  );
  expect(await read(`/rounds/${detail.rounds[0]!.id}/passes`)).toEqual(detail.rounds[0]!.passes);
  expect((await it.program(`/api/runs/${runId}/rounds/${detail.rounds[0]!.passes[0]!.id}/passes`)).status).toBe(404);
  // Rounds that were completed before this was stored with them. The outcome may have been computed meanwhile.
  await it.controller.pool.query('update pass set visits_made = null, visits_failed = null, failures = null');
  expect({ ...RunDetailSchema.parse(await read('')), outcome: null }).toEqual({ ...detail, outcome: null });

  const runs = RunSummarySchema.array().parse(await (await it.program('/api/runs')).json());
  expect(runs[0]).toMatchObject({ id: runId, failedVisits: 12 });
  expect(await (await it.program(`/api/runs?before=${runs.at(-1)!.id}`)).json()).toEqual([]);

  const comparison = ComparisonSchema.parse(await (await it.program(`/api/runs/${runId}/comparison`)).json());
  expect(comparison).toMatchObject({ runId, baseline: 'direct', roundsCounted: 4 });

  const ok = visits.find((visit) => visit.url !== failingUrl)!;
  const visit = VisitDetailSchema.parse(await (await it.program(`/api/visits/${ok.id}`)).json());
  expect(visit).toMatchObject({
    id: ok.id,
    runId,
    status: 'ok',
    readings: { totalMs: 1000 },
    snapshot: ok.outcome.snapshot,
  });
  const failed = visits.find((each) => each.url === failingUrl)!;
  expect(await (await it.program(`/api/visits/${failed.id}`)).json()).toMatchObject({
    status: 'failed',
    code: 'timeout',
    snapshot: null,
  });
});

test('a Run that only tried a URL is listed where tries are asked for, and no estimate goes by it', async () => {
  const { evaluationId, runId } = await storeCompletedRun(it.controller.pool, {
    evaluation: makeEvaluation({ name: 'Tried', primaryMetric: 'baseMs' }),
  });
  await it.controller.pool.query('update run set is_try = true where id = $1', [runId]);
  const waiting = await createRun(it.controller.pool, {
    evaluationId,
    evaluation: makeEvaluation(),
    seed: 1,
    roundsPlanned: 1,
    isTry: true,
  });
  await it.program(`/api/runs/${waiting}/stop`, { method: 'POST' });

  const idsOf = async (query: string) =>
    RunSummarySchema.array()
      .parse(await (await it.program(`/api/runs${query}`)).json())
      .map(({ id }) => id);
  expect((await idsOf('?tries=with')).slice(0, 2)).toEqual([waiting, runId]);
  expect(await idsOf(`?tries=with&before=${waiting}`)).toContain(runId);
  for (const query of ['', '?tries=without']) expect(await idsOf(query)).not.toContain(runId);
  expect((await it.program('/api/runs?tries=some')).status).toBe(400);
  expect(
    await (
      await it.program(
        '/api/evaluations/estimate',
        postJson(makeEvaluation({ name: 'Tried', primaryMetric: 'baseMs' })),
      )
    ).json(),
  ).toMatchObject({ kind: 'needs-pilot' });
});

test('several addresses are tried as one Run, which loads each once, and braces in them are no pattern', async () => {
  await using _host = await joinAgent(it.controller, { name: 'trier' });
  const urls = ['https://one.test/{1..3}', 'http://two.test/'];
  const order = { urls, host: 'trier', engine: 'chrome' };
  const answer = await it.program('/api/tries', postJson(order));
  expect(answer.status).toBe(201);
  const { id } = RunSummarySchema.parse(await answer.json());
  const run = RunDetailSchema.parse(await (await it.program(`/api/runs/${id}`)).json());
  expect([run.evaluationName, run.roundsPlanned]).toEqual(['Try of 2 URLs', 1]);
  expect(run.evaluation.urlLists.one!.map(({ url }) => url)).toEqual([
    'https://one.test/%7B1..3%7D',
    'http://two.test/',
  ]);
  expect((await it.program(`/api/runs/${id}/stop`, { method: 'POST' })).ok).toBe(true);
  const tooMany = Array.from({ length: 21 }, (_, place) => `http://two.test/${place}`);
  const tooLong = `http://two.test/${'{'.repeat(2000)}`;
  const same = ['https://one.test/{', 'https://one.test/%7B'];
  const countEvaluations = async () => ((await (await it.program('/api/evaluations')).json()) as unknown[]).length;
  const before = await countEvaluations();
  for (const refused of [tooMany, [tooLong], same])
    expect((await it.program('/api/tries', postJson({ ...order, urls: refused }))).status).toBe(400);
  expect(await countEvaluations()).toBe(before);
});

test('what is not there is said to be not there', async () => {
  for (const path of ['', '/events', '/comparison', '/visits']) {
    expect((await it.program(`/api/runs/999999${path}`)).status).toBe(404);
  }
  expect((await it.program('/api/visits/no-uuid')).status).toBe(404);
  expect((await it.program('/api/nothing')).status).toBe(404);
});
