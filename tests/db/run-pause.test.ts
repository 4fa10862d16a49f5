import { beforeEach, expect, test } from 'vitest';
import { inTransaction } from '#controller/database/transaction.ts';
import { claimRun } from '#controller/runs/claim-run.ts';
import { createRun, endPause, endRun, isPaused, requestPause, requestStop } from '#controller/runs/stored-runs.ts';
import { createEvaluation } from '#controller/evaluations/evaluations.ts';
import { findRunSummary } from '#controller/runs/run-summaries.ts';
import { explainWaiting } from '#controller/runs/run-queue.ts';
import { readRunPace } from '#controller/runs/run-pace.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { holdForEach } from '#tests/support/hold.ts';

let runId: string;
const database = holdForEach(createTestDatabase);
beforeEach(async () => {
  const evaluation = makeEvaluation();
  const { id: evaluationId } = await createEvaluation(database.pool, evaluation);
  runId = await createRun(database.pool, { evaluationId, evaluation, seed: 1, roundsPlanned: 4 });
});

test('a pause is kept in the database, is found by any Controller that takes the Run over, and ends when it is resumed', async () => {
  const { pool } = database;
  await requestPause(pool, runId);
  expect((await claimRun(pool, '00000000-0000-4000-8000-000000000001'))!.id).toBe(runId);
  expect(await isPaused(pool, runId)).toBe(true);
  expect((await findRunSummary(pool, runId))!.pausedAt).not.toBeNull();
  await endPause(pool, runId);
  expect(await isPaused(pool, runId)).toBe(false);
});

test('a Run that waits for one that is paused says so, until that is resumed', async () => {
  const { pool } = database;
  const evaluation = makeEvaluation();
  const { id: evaluationId } = await createEvaluation(pool, evaluation);
  const later = await createRun(pool, { evaluationId, evaluation, seed: 1, roundsPlanned: 4 });
  const read = async () => (await explainWaiting(pool, [(await findRunSummary(pool, later))!]))[0]!.waitsFor;
  await claimRun(pool, '00000000-0000-4000-8000-000000000001');
  await requestPause(pool, runId);
  expect(await read()).toMatchObject([{ runId, isPaused: true }]);
  await endPause(pool, runId);
  expect((await read())[0]).not.toHaveProperty('isPaused');
});

test('the time of a pause is no time of the Run', async () => {
  const run = (await claimRun(database.pool, '00000000-0000-4000-8000-000000000001'))!;
  // PostgreSQL's clock stands still in a transaction.
  await inTransaction(database.pool, async (client) => {
    await client.query(`update run set started_at = now() - interval '100 s' where id = $1`, [runId]);
    await requestPause(client, runId);
    await client.query(`update run set paused_at = started_at + interval '40 s' where id = $1`, [runId]);
    expect(await findRunSummary(client, runId)).toMatchObject({ pausedMs: 0 });
    expect(await readRunPace(client, runId)).toMatchObject({ elapsedMs: 40_000 });
    await endPause(client, runId);
    expect(await readRunPace(client, runId)).toMatchObject({ elapsedMs: 40_000 });
    await client.query(`update run set started_at = started_at - interval '7 s' where id = $1`, [runId]);
    await endRun(client, run, { state: 'completed', problem: null });
  });
  expect(await findRunSummary(database.pool, runId)).toMatchObject({ pausedMs: 60_000 });
  expect(await readRunPace(database.pool, runId)).toMatchObject({ elapsedMs: 47_000 });
});

test('a Run that is paused can be stopped, and one that has ended cannot be paused', async () => {
  const { pool } = database;
  await requestPause(pool, runId);
  await requestStop(pool, runId);
  await requestPause(pool, runId);
  expect(await findRunSummary(pool, runId)).toMatchObject({ state: 'stopped', pausedAt: null });
});

test('a Run that is paused again has been paused since the first time, and one that is not paused is not resumed', async () => {
  const { pool } = database;
  await endPause(pool, runId);
  expect(await findRunSummary(pool, runId)).toMatchObject({ state: 'pending', pausedAt: null, pausedMs: 0 });
  await requestPause(pool, runId);
  await pool.query(`update run set paused_at = '2026-01-01T00:00:00Z' where id = $1`, [runId]);
  await requestPause(pool, runId);
  expect(await findRunSummary(pool, runId)).toMatchObject({ pausedAt: '2026-01-01T00:00:00.000Z' });
});
