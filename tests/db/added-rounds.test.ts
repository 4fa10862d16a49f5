import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { executeRun } from '#controller/coordinator/execute-run.ts';
import { addRounds } from '#controller/coordinator/run-coordinator.ts';
import { claimRun } from '#controller/runs/claim-run.ts';
import { listAddedRounds, startAddedRounds } from '#controller/runs/store-added-rounds.ts';
import { findRunSummary } from '#controller/runs/run-summaries.ts';
import { endRun, LeaseLostError, requestStop } from '#controller/runs/stored-runs.ts';
import { proposeRounds } from '#controller/estimates/propose-rounds.ts';
import { outlineRun } from '#controller/reports/outline-run.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { startTestController } from '#tests/support/controller.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { addRoundsToRun } from './support/add-rounds-to-run.ts';
import { takeUpRun } from './support/take-up-run.ts';

test('Rounds are added to a Run that is complete, and its report and its bundle say so', { timeout: 120_000 }, () =>
  addRoundsToRun({ warmUp: false, losesLease: false }),
);

test('added Rounds that have not begun are taken back, and the Run is as it was', async () => {
  await using database = await createTestDatabase();
  const { pool } = database;
  const { runId } = await storeCompletedRun(pool);
  const before = await findRunSummary(pool, runId);
  await addRounds(pool, { runId, rounds: 3, requestedBy: 'Ada' });
  expect(await findRunSummary(pool, runId)).toMatchObject({ state: 'pending', roundsPlanned: 6 + 8 });
  expect(await listAddedRounds(pool, runId)).toMatchObject([{ firstBlock: 3, blocks: 3, requestedBy: 'Ada' }]);
  await requestStop(pool, runId);
  expect(await findRunSummary(pool, runId)).toEqual(before);
  expect(await listAddedRounds(pool, runId)).toEqual([]);
});

test('a Run that is to stop as its added Rounds begin leaves none in the queue: others can be added', async () => {
  await using database = await createTestDatabase();
  const { pool } = database;
  const { runId } = await storeCompletedRun(pool);
  await addRounds(pool, { runId, rounds: 1, requestedBy: 'Ada' });
  const stop = new AbortController();
  const context = await takeUpRun(pool, stop.signal);
  stop.abort(new Error('The evaluator stopped the Run'));
  await expect(executeRun(context)).rejects.toThrow('The evaluator stopped the Run');
  await endRun(pool, context.run, { state: 'stopped', problem: null });
  await addRounds(pool, { runId, rounds: 2, requestedBy: 'Ada' });
  expect(await findRunSummary(pool, runId)).toMatchObject({ state: 'pending', waitsFor: [] });
  expect(await claimRun(pool, randomUUID())).toMatchObject({ id: runId });
});

test('the proposal for a Run whose result is decided says so', async () => {
  await using it = await startTestController();
  const { pool } = it.controller;
  const decisionOf = async (proxyMs: number) => {
    const { runId } = await storeCompletedRun(pool, {
      evaluation: makeEvaluation({ repetition: { order: 'random-blocks', rounds: 4, warmUp: false, attempts: 1 } }),
      totalMsOf: ({ scenario, block }) => (scenario === 'proxy' ? proxyMs : 1000) + 3 * block,
    });
    // Computes the outcome that lists show.
    await it.program(`/api/runs/${runId}/comparison`);
    return (await proposeRounds(pool, runId)).decided;
  };
  expect(await decisionOf(700)).toMatch(/^proxy takes .* less time/);
  const { runId } = await storeCompletedRun(pool, { totalMsOf: ({ block }) => 1000 + 300 * (block % 2) });
  expect(await proposeRounds(pool, runId)).toMatchObject({ decided: null, warmUp: makeEvaluation().repetition.warmUp });
});

test('the proposal is for the Scenarios that are compared, and says when nothing is known to be enough', async () => {
  await using database = await createTestDatabase();
  const { pool } = database;
  const repetition = { rounds: 4, warmUp: false };
  const scenarios = [{ name: 'direct', baseline: true }, { name: 'proxy' }, { name: 'solo', userAgents: ['alice'] }];
  const propose = async (change: object, totalMsOf: (visit: { scenario: string; block: number }) => number | null) => {
    const evaluation = EvaluationSchema.parse({ ...makeEvaluation(), scenarios, repetition, ...change });
    const { runId } = await storeCompletedRun(pool, { evaluation, totalMsOf });
    return { ...(await proposeRounds(pool, runId)), runId };
  };
  const steady = { direct: 0, proxy: 10, solo: 5000 };
  const totalMsOf = ({ scenario, block }: { scenario: string; block: number }) =>
    1000 + steady[scenario as keyof typeof steady] * (block % 2);
  const alone = await propose({ comparison: { equivalenceMargin: 0.05 } }, totalMsOf);
  expect(alone).toMatchObject({ goal: { of: 'reduction' }, rounds: 1, isEnough: true });
  const [total] = (await outlineRun(pool, alone.runId)).metrics.filter(({ metric }) => metric === 'totalMs');
  expect(total!.scenarios[2]).toMatchObject({ isSolo: true, reduction: null, mean: { rounds: 4 } });
  expect(total!.scenarios[1]).toHaveProperty('reduction.blocks', 4);

  const adaptive = { target: { halfWidthRatio: 0.05 }, maxRounds: 5 };
  const noSolo = { scenarios: scenarios.slice(0, 2), repetition: { adaptive, warmUp: false } };
  expect(await propose(noSolo, totalMsOf)).toMatchObject({ goal: { of: 'mean-ratio' }, isEnough: true });
  const neverUnderProxy = ({ scenario }: { scenario: string }) => (scenario === 'proxy' ? null : 1000);
  expect(await propose(noSolo, neverUnderProxy)).toMatchObject({ isEnough: false });
});

test('no Rounds are added to a Run that was stopped before its declared end', async () => {
  await using database = await createTestDatabase();
  const { pool } = database;
  const { runId } = await storeCompletedRun(pool, { lastBlock: 1 });
  await pool.query(`update run set state = 'stopped' where id = $1`, [runId]);
  await expect(addRounds(pool, { runId, rounds: 3, requestedBy: 'Ada' })).rejects.toThrow('only a completed Run');
  await expect(addRounds(pool, { runId: '999999', rounds: 3, requestedBy: 'Ada' })).rejects.toThrow('There is no Run');
});

test('the time between the end of a Run and its added Rounds is a pause, which counts once', async () => {
  await using database = await createTestDatabase();
  const { pool } = database;
  const { runId } = await storeCompletedRun(pool);
  await pool.query(`update run set started_at = now() - interval '3 hours', ended_at = now() - interval '2 hours'`);
  await addRounds(pool, { runId, rounds: 1, requestedBy: 'Ada' });
  const run = (await claimRun(pool, randomUUID()))!;
  await startAddedRounds(pool, run);
  const { pausedMs } = (await findRunSummary(pool, runId))!;
  expect(Math.round(pausedMs / 3_600_000)).toBe(2);
  const [added] = await listAddedRounds(pool, runId);
  expect(added!.startedAt).not.toBeNull();
  // The Controller begins them again after a fault.
  await startAddedRounds(pool, run);
  expect(await findRunSummary(pool, runId)).toMatchObject({ pausedMs });
  expect(await listAddedRounds(pool, runId)).toEqual([added]);
  await expect(startAddedRounds(pool, { ...run, epoch: run.epoch - 1 })).rejects.toThrow(LeaseLostError);
});
