import { beforeEach, expect, test } from 'vitest';
import { createEvaluation } from '#controller/evaluations/evaluations.ts';
import { createRun } from '#controller/runs/stored-runs.ts';
import { claimCrossing, recordDelivery, storeThresholdSide } from '#controller/runs/threshold-sides.ts';
import type { ThresholdSide } from '#core/trend/judge-threshold.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { holdForEach } from '#tests/support/hold.ts';

const evaluation = makeEvaluation();
let evaluationId: string;
const database = holdForEach(createTestDatabase);
beforeEach(async () => {
  ({ id: evaluationId } = await createEvaluation(database.pool, evaluation));
});

const addRun = (of = evaluationId) =>
  createRun(database.pool, { evaluationId: of, evaluation, seed: 1, roundsPlanned: 1 });
const judge = (runId: string, side: ThresholdSide) => storeThresholdSide(database.pool, runId, side);
async function addJudged(...sides: ThresholdSide[]): Promise<string[]> {
  const runs: string[] = [];
  for (const side of sides) {
    const run = await addRun();
    await judge(run, side);
    runs.push(run);
  }
  return runs;
}
/** Of each Run, in their order; with a mark where it crosses. */
async function readSides(): Promise<string[]> {
  const { rows } = await database.pool.query<{ side: string; crosses: boolean }>(
    'select side, crosses from run_threshold order by run_id',
  );
  return rows.map(({ side, crosses }) => (crosses ? `${side}!` : side));
}

test('a Run crosses where it is on the other side than the decided Run before it; the first of all, where it is below', async () => {
  await addJudged('below', 'below', 'undecided', 'below', 'above', 'undecided', 'above', 'below');
  expect(await readSides()).toEqual([
    'below!',
    'below',
    'undecided',
    'below',
    'above!',
    'undecided',
    'above',
    'below!',
  ]);
});

test('a first Run above is as it should be', async () => {
  await addJudged('above', 'undecided', 'above', 'below');
  expect(await readSides()).toEqual(['above', 'undecided', 'above', 'below!']);
});

test('a Run that is judged again is compared with its own side before, and is news again where that changed', async () => {
  const [, second] = (await addJudged('below', 'above')) as [string, string];
  await judge(second, 'below');
  expect(await readSides()).toEqual(['below!', 'below!']);
  await judge(second, 'above');
  expect(await readSides()).toEqual(['below!', 'above!']);
  // One that was undecided has no side of its own.
  const third = await addRun();
  await judge(third, 'undecided');
  await judge(third, 'above');
  expect(await readSides()).toEqual(['below!', 'above!', 'above']);
});

test('Runs of other Evaluations, deleted ones and later ones do not count', async () => {
  const { id: otherId } = await createEvaluation(database.pool, evaluation);
  await judge(await addRun(otherId), 'below');
  const early = await addRun();
  const [deleted, last] = (await addJudged('below', 'below')) as [string, string];
  await judge(early, 'above');
  expect(await readSides()).toEqual(['below!', 'above', 'below!', 'below']);
  await database.pool.query('delete from run_threshold where run_id = $1', [last]);
  await database.pool.query('update run set deleted_at = now() where id = $1', [deleted]);
  await judge(last, 'below');
  expect((await readSides()).at(-1)).toBe('below!');
});

test('Runs that are judged in another order have the same crossings, and none is claimed before those before it are judged', async () => {
  const { pool } = database;
  const withThreshold = { ...evaluation, trend: { threshold: 0.1 } };
  await addJudged('above');
  const add = async () => {
    const run = await createRun(pool, { evaluationId, evaluation: withThreshold, seed: 1, roundsPlanned: 1 });
    await pool.query(`update run set state = 'completed', ended_at = now() where id = $1`, [run]);
    return run;
  };
  const [first, second, third] = [await add(), await add(), await add()];
  await judge(third, 'above');
  await judge(second, 'below');
  expect(await claimCrossing(pool)).toBeNull();
  await judge(first, 'above');
  expect(await readSides()).toEqual(['above', 'above', 'below!', 'above!']);
  expect([await claimCrossing(pool), await claimCrossing(pool), await claimCrossing(pool)]).toEqual([
    { runId: second, side: 'below' },
    { runId: third, side: 'above' },
    null,
  ]);
  // One that nobody can judge is not waited for without end.
  const [lost, last] = [await add(), await add()];
  await judge(last, 'below');
  expect(await claimCrossing(pool)).toBeNull();
  await pool.query(`update run set ended_at = now() - interval '7 hours' where id = $1`, [lost]);
  expect(await claimCrossing(pool)).toEqual({ runId: last, side: 'below' });
});

test('of Runs that are all below, judged from the last to the first, only the first crosses', async () => {
  await addJudged('above');
  const runs = [await addRun(), await addRun(), await addRun()];
  for (const run of runs.toReversed()) await judge(run, 'below');
  expect(await readSides()).toEqual(['above', 'below!', 'below', 'below']);
});

test('each crossing is claimed once in 30 seconds, the oldest first, until it is delivered', async () => {
  const { pool } = database;
  const [first, , third] = (await addJudged('below', 'below', 'above')) as [string, string, string];
  expect([await claimCrossing(pool), await claimCrossing(pool), await claimCrossing(pool)]).toEqual([
    { runId: first, side: 'below' },
    { runId: third, side: 'above' },
    null,
  ]);
  await recordDelivery(pool, first, null);
  await recordDelivery(pool, third, 'HTTP status 500');
  const wait = (seconds: number) =>
    pool.query('update run_threshold set tried_at = now() - make_interval(secs => $1)', [seconds]);
  await wait(29);
  expect(await claimCrossing(pool)).toBeNull();
  await wait(31);
  expect([await claimCrossing(pool), await claimCrossing(pool)]).toEqual([{ runId: third, side: 'above' }, null]);
  // To judge it the same again sends nothing again.
  await judge(first, 'below');
  await wait(31);
  expect(await claimCrossing(pool)).toEqual({ runId: third, side: 'above' });
});

test('a crossing is given up after five attempts, or a day; a new judgement begins from the start', async () => {
  const { pool } = database;
  const [run] = (await addJudged('below')) as [string];
  let attempts = 0;
  while (await claimCrossing(pool)) {
    attempts++;
    await pool.query(`update run_threshold set tried_at = null`);
  }
  expect(attempts).toBe(5);
  await judge(run, 'above');
  expect(await claimCrossing(pool)).toEqual({ runId: run, side: 'above' });
  const age = (hours: number) =>
    pool.query('update run_threshold set tried_at = null, judged_at = now() - make_interval(hours => $1)', [hours]);
  await age(23);
  expect(await claimCrossing(pool)).not.toBeNull();
  await age(24);
  expect(await claimCrossing(pool)).toBeNull();
});
