import { expect, test } from 'vitest';
import { findRunView } from '#controller/runs/run-detail.ts';
import { decideAfterBlock, endsBlock } from '#controller/coordinator/execute-run.ts';
import type { RunContext } from '#controller/coordinator/run-context.ts';
import { LeaseLostError } from '#controller/runs/stored-runs.ts';
import { findEnding } from '#controller/runs/stop-decisions.ts';
import { expandEvaluation } from '#core/evaluation/rounds/expand-evaluation.ts';
import { RepetitionSchema } from '#core/evaluation/rounds/repetition.ts';
import { createTestDatabase } from '../../support/database.ts';
import { makeEvaluation } from '../../support/sample-evaluation.ts';
import { storeCompletedRun } from '../../support/stored-run.ts';
import { takeUpRun } from '../support/take-up-run.ts';
import { holdForAll } from '#tests/support/hold.ts';

const database = holdForAll(createTestDatabase);

/** A Run under way, of which these Blocks were measured; a latency of `url` swings by `swingMs` around 1000 ms. */
async function openRun({
  adaptive,
  lastBlock,
  swingMs,
}: {
  adaptive: object;
  lastBlock: number;
  swingMs: (url: string) => number;
}): Promise<RunContext> {
  const { pool } = database;
  const repetition = RepetitionSchema.parse({
    adaptive: { target: { halfWidthRatio: 0.05 }, ...adaptive },
    warmUp: true,
  });
  const { runId } = await storeCompletedRun(pool, {
    evaluation: makeEvaluation({ repetition }),
    lastBlock,
    totalMsOf: ({ block, url }) => 1000 + (block % 2 === 0 ? swingMs(url) : -swingMs(url)),
  });
  await pool.query(`update run set state = 'stopped' where state = 'running'`);
  await pool.query(`update run set state = 'pending', started_at = null, ended_at = null where id = $1`, [runId]);
  const context = await takeUpRun(pool);
  expect(context.run.id).toBe(runId);
  return context;
}

test.each(['random-blocks', 'sequential'] as const)(
  'the stop rule looks after each Block that counts, and not after the warm-up: %s',
  (order) => {
    const repetition = RepetitionSchema.parse({ rounds: 2, warmUp: true, order });
    const plan = expandEvaluation(makeEvaluation({ repetition }), 1);
    const ends = plan.flatMap(({ block }, position) => (endsBlock(plan, position) ? [block] : []));
    expect(ends).toEqual([1, 2]);
  },
);

test('a Run continues while a single cell is not exact enough, and expects as many Rounds as that cell needs', async () => {
  const context = await openRun({ adaptive: {}, lastBlock: 6, swingMs: (url) => (url.endsWith('plain') ? 100 : 5) });
  const decision = await decideAfterBlock(context, 6);
  // 2 Scenarios × 2 User Agents × 3 URLs, of which one is too wide: s = 109.5, so that t(0.98, n − 1) · s / √n is at most 50 ms from 23 Rounds on.
  expect(decision).toMatchObject({
    stopReason: null,
    blocks: 6,
    cells: 12,
    cellsMissed: 4,
    missed: [],
    blocksExpected: 23,
  });
  const view = await findRunView(database.pool, context.run.id);
  expect([view!.roundsPlanned, view!.plan.length]).toEqual([2 * 24, 2 * 24]);
});

test('it stops when every cell is exact enough, and its plan ends there', async () => {
  const context = await openRun({ adaptive: {}, lastBlock: 6, swingMs: () => 5 });
  expect(await decideAfterBlock(context, 6)).toMatchObject({
    stopReason: 'target',
    cells: 12,
    cellsMissed: 0,
    blocksExpected: 6,
  });
  expect((await findRunView(database.pool, context.run.id))!.roundsPlanned).toBe(2 * 7);
  expect(await findEnding(database.pool, context.run.id)).toMatchObject({ stopReason: 'target', blocks: 6 });
});

test('at the most Rounds it stops, and says which cells missed the target', async () => {
  const context = await openRun({
    adaptive: { maxRounds: 6 },
    lastBlock: 6,
    swingMs: (url) => (url.endsWith('plain') ? 100 : 5),
  });
  const decision = await decideAfterBlock(context, 6);
  expect(decision).toMatchObject({ stopReason: 'max-rounds', cellsMissed: 4 });
  expect(decision.missed.map(({ url, rounds }) => ({ url, rounds }))).toEqual(
    Array.from({ length: 4 }, () => ({ url: 'http://origin.test/plain', rounds: 6 })),
  );
  expect(decision.missed[0]!.targetMs).toBeCloseTo(50, 6);
  expect(decision.missed[0]!.halfWidthMs).toBeGreaterThan(100);
});

test('what was decided stays decided for any Controller that takes the Run up, although it would be decided otherwise now', async () => {
  const context = await openRun({ adaptive: {}, lastBlock: 6, swingMs: () => 5 });
  const decision = await decideAfterBlock(context, 6);
  await database.pool.query('update cell_rollup set squares = 1e9 where run_id = $1', [context.run.id]);
  const next = { ...context, run: { ...context.run, epoch: context.run.epoch + 1 } };
  await database.pool.query('update run set epoch = epoch + 1 where id = $1', [context.run.id]);
  expect(await decideAfterBlock(next, 6)).toEqual(decision);
  // Who has lost the Run decides nothing new.
  await expect(decideAfterBlock(context, 5)).rejects.toThrow(LeaseLostError);
});
