import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimRun } from '#controller/db/runs/claim-run.ts';
import { createRun, endPause, endRun, isPaused, requestPause, requestStop } from '#controller/db/runs/runs.ts';
import { createEvaluation } from '#controller/db/evaluations.ts';
import { findRunSummary } from '#controller/db/runs/run-summaries.ts';
import { readRunPace } from '#controller/db/runs/run-pace.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';

let database: TestDatabase;
let runId: string;
beforeEach(async () => {
  database = await createTestDatabase();
  const evaluation = makeEvaluation();
  const { id: evaluationId } = await createEvaluation(database.pool, evaluation);
  runId = await createRun(database.pool, { evaluationId, evaluation, seed: 1, roundsPlanned: 4 });
});
afterEach(() => database[Symbol.asyncDispose]());

test('a pause is kept in the database, is found by any Controller that takes the Run over, and ends when it is resumed', async () => {
  const { pool } = database;
  await requestPause(pool, runId);
  expect((await claimRun(pool, '00000000-0000-4000-8000-000000000001'))!.id).toBe(runId);
  expect(await isPaused(pool, runId)).toBe(true);
  expect((await findRunSummary(pool, runId))!.pausedAt).not.toBeNull();
  await endPause(pool, runId);
  expect(await isPaused(pool, runId)).toBe(false);
});

test('the time of a pause is no time of the Run', async () => {
  const { pool } = database;
  const run = (await claimRun(pool, '00000000-0000-4000-8000-000000000001'))!;
  await pool.query(`update run set started_at = now() - interval '100 s' where id = $1`, [runId]);
  await requestPause(pool, runId);
  await pool.query(`update run set paused_at = started_at + interval '40 s' where id = $1`, [runId]);
  expect(await findRunSummary(pool, runId)).toMatchObject({ pausedMs: 0 });
  const { elapsedMs: whilePaused } = await readRunPace(pool, runId);
  expect(whilePaused).toBeCloseTo(40_000, 0);
  await endPause(pool, runId);
  await endRun(pool, run, { state: 'completed', problem: null });
  const { elapsedMs } = await readRunPace(pool, runId);
  const { pausedMs, startedAt, endedAt } = (await findRunSummary(pool, runId))!;
  expect(pausedMs).toBeGreaterThanOrEqual(59_999);
  expect(elapsedMs).toBeGreaterThanOrEqual(39_999);
  // However long the statements above took.
  expect(elapsedMs + pausedMs).toBeCloseTo(Date.parse(endedAt!) - Date.parse(startedAt!), -1);
});

test('a Run that is paused can be stopped, and one that has ended cannot be paused', async () => {
  const { pool } = database;
  await requestPause(pool, runId);
  await requestStop(pool, runId);
  await requestPause(pool, runId);
  expect(await findRunSummary(pool, runId)).toMatchObject({ state: 'stopped', pausedAt: null });
});
