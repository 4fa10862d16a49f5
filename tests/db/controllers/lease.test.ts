import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createEvaluation } from '#controller/evaluations/evaluations.ts';
import {
  completeRound,
  createRound,
  setPassStates,
  setRoundState,
  storeLinkCheck,
  storeNetworkFigures,
} from '#controller/runs/rounds.ts';
import { claimRun } from '#controller/runs/claim-run.ts';
import { announceController, holdSign } from '#controller/agents/exchange/controllers.ts';
import {
  createRun,
  endRun,
  LeaseLostError,
  leaseSeconds,
  renewLease,
  type OwnedRun,
} from '#controller/runs/stored-runs.ts';
import { storeDecision } from '#controller/runs/stop-decisions.ts';
import { withClient } from '#controller/database/migrate.ts';
import { expandEvaluation } from '#core/evaluation/rounds/expand-evaluation.ts';
import type { BlockDecision } from '#core/stop-rule/block-decision.ts';
import { createTestDatabase } from '../../support/database.ts';
import { startTestController } from '../../support/controller.ts';
import { makeEvaluation } from '../../support/sample-evaluation.ts';
import { countCompleted, evaluationOn, servePage, startMeasuringAgent } from './support/measuring-agent.ts';
import { unknownSkew } from '#tests/support/sample-run.ts';
import { holdForEach } from '#tests/support/hold.ts';

const database = holdForEach(createTestDatabase);

/** A Run with a Round under way, whose owner was taken for dead and which another Controller took. */
async function takeOver(): Promise<{ old: OwnedRun; roundId: string; passId: string }> {
  const { pool } = database;
  const evaluation = makeEvaluation();
  const { id: evaluationId } = await createEvaluation(pool, evaluation);
  const plan = expandEvaluation(evaluation, 1);
  await createRun(pool, { evaluationId, evaluation, seed: 1, roundsPlanned: plan.length });
  const old = (await claimRun(pool, randomUUID()))!;
  const [roundId, passId] = [randomUUID(), randomUUID()];
  await createRound(pool, old, {
    id: roundId,
    planned: plan[0]!,
    passes: [{ id: passId, userAgent: 'alice', agent: 'laptop', visitsExpected: 3 }],
  });
  return { old, roundId, passId };
}

const claimAgain = async () => {
  await database.pool.query(`update run set owner_until = now() - interval '1 second'`);
  expect(await claimRun(database.pool, randomUUID())).not.toBeNull();
};

test('nothing of a Run can be written by an owner that was replaced', async () => {
  const { pool } = database;
  const { old, roundId, passId } = await takeOver();
  await claimAgain();
  const read = async () =>
    (
      await pool.query<object>(
        'select to_jsonb(run) as run, to_jsonb(round) as round, to_jsonb(pass) as pass from run join round on run_id = run.id join pass on round_id = round.id',
      )
    ).rows;
  const before = await read();
  const check = { backend: 'userspace' } as unknown as Parameters<typeof storeLinkCheck>[2]['check'];
  const decision = { blocks: 1 } as unknown as BlockDecision;
  const planned = expandEvaluation(old.evaluation, 1)[1]!;
  const writes: [string, () => Promise<unknown>][] = [
    ['createRound', () => createRound(pool, old, { id: randomUUID(), planned, passes: [] })],
    ['setRoundState', () => setRoundState(pool, old, { id: roundId, state: 'running' })],
    ['setPassStates', () => setPassStates(pool, old, [{ id: passId, state: 'ended' }])],
    ['storeNetworkFigures', () => storeNetworkFigures(pool, old, { roundId, figures: [] })],
    ['storeLinkCheck', () => storeLinkCheck(pool, old, { roundId, check })],
    [
      'completeRound',
      () =>
        completeRound(pool, old, {
          id: roundId,
          ...unknownSkew,
          startSkewMs: 1,
          startSkewErrorMs: 0.1,
        }),
    ],
    ['storeDecision', () => storeDecision(pool, old, { decision, roundsExpected: 99 })],
    ['renewLease', () => renewLease(pool, old)],
    ['endRun', () => endRun(pool, old, { state: 'completed', problem: null })],
  ];
  for (const [name, write] of writes) await expect(write(), name).rejects.toThrow(LeaseLostError);
  expect(await read()).toEqual(before);
});

test('a Run whose owner was killed is taken before its lease ends, one whose owner only hangs is not', async () => {
  const { pool } = database;
  await takeOver();
  const owner = (await pool.query<{ owner: string }>('select owner from run')).rows[0]!.owner;
  await announceController(pool, { id: owner, name: 'killed', oneRunAtATime: false, hasSign: true }, []);
  const claimAfter = async (seconds: number) => {
    await pool.query('update run set owner_until = now() + make_interval(secs => $1)', [leaseSeconds - seconds]);
    return (await claimRun(pool, randomUUID()))?.epoch ?? null;
  };
  await withClient(pool, async (client) => {
    expect(await holdSign(client, owner)).toBe(true);
    expect(await claimAfter(5)).toBeNull();
    await client.query('select pg_advisory_unlock_all()');
  });
  expect(await claimAfter(2)).toBeNull();
  // Not within 10 seconds after the start of PostgreSQL.
  await expect.poll(() => claimAfter(5)).toBe(2);
});

test('a Round that its owner completes while another Controller takes the Run is not completed', async () => {
  const { pool } = database;
  const { old, roundId } = await takeOver();
  const completing = await withClient(pool, async (client) => {
    await client.query('begin');
    await client.query('update run set epoch = epoch + 1');
    const completed = completeRound(pool, old, {
      id: roundId,
      ...unknownSkew,
      startSkewMs: 1,
      startSkewErrorMs: 0.1,
    }).then(
      () => null,
      (error: unknown) => error,
    );
    const isWaiting = async () =>
      (await pool.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
        .rowCount === 1;
    await expect.poll(isWaiting).toBe(true);
    await client.query('commit');
    return completed;
  });
  expect(completing).toBeInstanceOf(LeaseLostError);
  expect((await pool.query('select state, start_skew_ms from round')).rows).toEqual([
    { state: 'preparing', start_skew_ms: null },
  ]);
});

test(
  'a Run whose owner is shut down in a Round is completed by another Controller, with every Visit once',
  { timeout: 120_000 },
  async () => {
    const { pool } = database;
    await using page = await servePage();
    await using owner = await startTestController({ sharedDatabase: database });
    const evaluation = evaluationOn(['laptop'], { url: page.url, rounds: 1 });
    const { id: evaluationId } = await createEvaluation(pool, evaluation);
    const id = await createRun(pool, { evaluationId, evaluation, seed: 1, roundsPlanned: 2 });
    const has = async (column: 'owner' | 'ended_at') =>
      (await pool.query(`select from run where id = $1 and ${column} is not null`, [id])).rowCount === 1;
    await expect.poll(() => has('owner'), { timeout: 30_000 }).toBe(true);

    await using successor = await startTestController({ sharedDatabase: database });
    await using _agent = await startMeasuringAgent({ pool, controllerUrl: successor.controller.url, name: 'laptop' });
    page.hold();
    await expect.poll(() => page.requests, { timeout: 60_000 }).toBe(1);
    await owner.controller.close();
    page.release();
    await expect.poll(() => has('ended_at'), { timeout: 90_000 }).toBe(true);
    expect(await countCompleted(pool, id)).toEqual({ rounds: 2, indexes: 2, visits: 6, distinctVisits: 6 });
  },
);
