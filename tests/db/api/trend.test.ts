import { expect, test } from 'vitest';
import { EvaluationTrendSchema, type EvaluationTrend } from '#core/protocol/api/evaluation-trend.ts';
import { readTrend as readRunTrends } from '#controller/runs/run-trends.ts';
import { metricsVersion } from '#core/metrics/index.ts';
import { RunMethodSchema } from '#core/record/run-method.ts';
import { RunDetailSchema } from '#core/protocol/api/run.ts';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { StoredEvaluationSchema } from '#core/protocol/api/stored-evaluation.ts';
import { makeEvaluation } from '../../support/sample-evaluation.ts';
import { postJson, startTestController } from '../../support/controller.ts';
import { storeCompletedRun } from '../../support/stored-run.ts';
import { holdForAll } from '#tests/support/hold.ts';

const it = holdForAll(() => startTestController());

async function readTrend(evaluationId: string): Promise<EvaluationTrend> {
  return EvaluationTrendSchema.parse(await (await it.program(`/api/evaluations/${evaluationId}/trend`)).json());
}

test('the trend has the figures of the Comparison of each completed Run, the oldest first, and which settings changed', async () => {
  const { pool } = it.controller;
  const repetition = { order: 'random-blocks' as const, rounds: 3, warmUp: false, attempts: 1 };
  const evaluation = makeEvaluation({ repetition });
  const totalMsOf = ({ scenario, block }: { scenario: string; block: number }) =>
    (scenario === 'proxy' ? 700 : 1000) + 5 * block;
  const first = await storeCompletedRun(pool, { evaluation: { ...evaluation, trend: { threshold: 0.2 } }, totalMsOf });
  const renamed = await storeCompletedRun(pool, {
    evaluation: { ...evaluation, name: 'Another name', trend: { threshold: 0.1 } },
    totalMsOf,
  });
  const warmed = { ...evaluation, repetition: { ...repetition, warmUp: true } };
  const changed = await storeCompletedRun(pool, { evaluation: warmed, totalMsOf });
  const open = await storeCompletedRun(pool, { evaluation, totalMsOf });
  await pool.query(`update run set evaluation_id = $1 where id = any($2)`, [
    first.evaluationId,
    [renamed.runId, changed.runId, open.runId],
  ]);
  await pool.query(`update run set state = 'stopped' where id = $1`, [open.runId]);
  await pool.query(`update run set labels = '{"build": "1234"}' where id = $1`, [renamed.runId]);
  await pool.query(
    `update visit set metrics_version = 1 where pass_id in (
       select pass.id from pass join round on round.id = round_id where run_id = $1)`,
    [changed.runId],
  );
  for (const { runId } of [first, renamed, changed]) await it.program(`/api/runs/${runId}/comparison`);

  const { runs, isCut, threshold } = await readTrend(first.evaluationId);
  expect({ isCut, threshold }).toEqual({ isCut: false, threshold: 0.2 });
  expect(runs.map(({ id, labels }) => ({ id, labels }))).toEqual([
    { id: first.runId, labels: {} },
    { id: renamed.runId, labels: { build: '1234' } },
    { id: changed.runId, labels: {} },
  ]);
  expect(runs[1]!.settings).toBe(runs[0]!.settings);
  expect(runs[2]!.settings).not.toBe(runs[0]!.settings);
  const { trend } = runs[0]!;
  expect(trend).toMatchObject({
    metric: 'totalMs',
    engineVersions: ['Chrome/140.0.7339.80'],
    metricsVersions: [metricsVersion],
  });
  expect(trend!.scenarios[0]).toMatchObject({ scenario: 'direct', isBaseline: true, rounds: 3, reduction: null });
  expect(trend!.scenarios[0]!.meanMs).toBeCloseTo(1010, 6);
  expect(runs[2]!.trend!.metricsVersions).toEqual([1]);
  const { reduction } = trend!.scenarios[1]!;
  expect(reduction!.ratio).toBeCloseTo(0.297, 3);
  expect(reduction!.low! < reduction!.ratio && reduction!.ratio < reduction!.high!).toBe(true);
  expect((await it.program('/api/evaluations/999/trend')).status).toBe(404);

  const newest = await readRunTrends(pool, { evaluationId: first.evaluationId, threshold: null, limit: 2 });
  expect(newest).toEqual({ isCut: true, threshold: null, runs: runs.slice(1) });
  const all = await readRunTrends(pool, { evaluationId: first.evaluationId, threshold: 0.2, limit: 3 });
  expect(all).toEqual({ isCut: false, threshold: 0.2, runs });
});

test('a Run that an earlier version stored has the settings of a later one where only defaults came between them', async () => {
  const { pool } = it.controller;
  const evaluation = makeEvaluation();
  const [early, late, other] = [
    await storeCompletedRun(pool, { evaluation }),
    await storeCompletedRun(pool, { evaluation }),
    await storeCompletedRun(pool, { evaluation: { ...evaluation, primaryMetric: 'baseMs' } }),
  ];
  await pool.query(`update run set evaluation_id = $1 where id = any($2)`, [
    early.evaluationId,
    [late.runId, other.runId],
  ]);
  // Without settings that were not there once.
  await pool.query(
    `update run set document = document #- '{pageLoad,failedObjects}' #- '{capture,isolate}' #- '{scenarios,0,processes}' where id = $1`,
    [early.runId],
  );
  const { runs } = await readTrend(early.evaluationId);
  expect(runs.map(({ id }) => id)).toEqual([early.runId, late.runId, other.runId]);
  expect(runs[0]!.settings).toBe(runs[1]!.settings);
  expect(runs[2]!.settings).not.toBe(runs[1]!.settings);
});

test('a Run keeps the labels of its order, which are checked', async () => {
  const created = await it.program('/api/evaluations', postJson(makeEvaluation()));
  const { id } = StoredEvaluationSchema.parse(await created.json());
  const order = (body: unknown) => it.program(`/api/evaluations/${id}/runs`, postJson(body));
  const run = RunSummarySchema.parse(await (await order({ labels: { build: '1234', branch: 'main' } })).json());
  expect(run.labels).toEqual({ build: '1234', branch: 'main' });
  expect(RunDetailSchema.parse(await (await it.program(`/api/runs/${run.id}`)).json()).labels).toEqual(run.labels);
  const method = RunMethodSchema.parse(await (await it.program(`/api/runs/${run.id}/method`)).json());
  expect(method.labels).toEqual(run.labels);
  expect(RunSummarySchema.parse(await (await order({})).json()).labels).toEqual({});

  const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`key${index}`, 'x']));
  for (const labels of [
    { 'a b': '1' },
    { build: '' },
    { build: 'x'.repeat(81) },
    { build: 'a\nb' },
    { build: 7 },
    many,
  ])
    expect([labels, (await order({ labels })).status]).toEqual([labels, 400]);
});
