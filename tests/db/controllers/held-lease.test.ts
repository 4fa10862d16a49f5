import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import pino from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { RunLease } from '#controller/coordinator/own-run.ts';
import { announceController, holdSign, silenceSeconds } from '#controller/agents/exchange/controllers.ts';
import { createEvaluation } from '#controller/evaluations/evaluations.ts';
import { claimRun } from '#controller/runs/claim-run.ts';
import { createRun } from '#controller/runs/stored-runs.ts';
import { createHeldDatabase } from '../../support/held-database.ts';
import { HeldTime } from '../../support/held-time.ts';
import { makeEvaluation } from '../../support/sample-evaluation.ts';
import { holdForEach } from '#tests/support/hold.ts';

// The time of the database is held, and that of the owner: one second of one is one of the other, unless a test says otherwise.

const [first, second] = [randomUUID(), randomUUID()];
const log = pino({ level: 'silent' });

let time: HeldTime;
/** Whether the statements of the first owner reach the database. */
let isReached: boolean;
let renewals: number;
let claimedMs: number;
const database = holdForEach(createHeldDatabase);
beforeEach(async () => {
  time = new HeldTime();
  [isReached, renewals] = [true, 0];
  const evaluation = makeEvaluation();
  const { id: evaluationId } = await createEvaluation(database.pool, evaluation);
  await createRun(database.pool, { evaluationId, evaluation, seed: 1, roundsPlanned: 4 });
});

const announce = (id: string) =>
  announceController(database.pool, { id, name: id, oneRunAtATime: false, hasSign: true }, []);

/** The lease of the first owner, which was claimed just now. */
async function hold(): Promise<RunLease> {
  const run = (await claimRun(database.pool, first))!;
  claimedMs = time.clock();
  expect(run.epoch).toBe(1);
  const query = async (text: string, values: unknown[]) => {
    if (!isReached) return new Promise(() => undefined);
    const result = await database.pool.query(text, values);
    renewals++;
    return result;
  };
  return new RunLease({
    pool: { query } as unknown as Pool,
    run,
    claimedMs,
    onState: () => undefined,
    time,
    log,
  });
}

/** Half a second of both clocks. Resolves when the owner has heard what it asked meanwhile. */
async function step(): Promise<void> {
  await database.pass(500);
  const before = renewals;
  const isDue = isReached && (time.clock() + 500 - claimedMs) % 2_000 === 0;
  await time.pass(500);
  if (isDue) await expect.poll(() => renewals, { interval: 2 }).toBe(before + 1);
  await time.pass(0);
}

/** Whether the second Controller gets the Run. */
const takes = async () => (await claimRun(database.pool, second))?.epoch === 2;

/** An owner that the database cannot hear orders nothing any more when another Controller takes its Run, and that is no sooner than ten seconds after its last renewal. */
async function losesInTime(jumpMs: number): Promise<void> {
  using lease = await hold();
  await database.pass(jumpMs);
  for (let half = 0; half < 8; half++) {
    await step();
    expect([lease.mayOrder, await takes()]).toEqual([true, false]);
  }
  expect(renewals).toBe(2); // the last one at the fourth second
  isReached = false;
  const course: { mayOrder: boolean; isTaken: boolean }[] = [];
  for (let half = 0; half < 24 && !course.at(-1)?.isTaken; half++) {
    await step();
    course.push({ mayOrder: lease.mayOrder, isTaken: await takes() });
  }
  expect(course.filter(({ mayOrder, isTaken }) => mayOrder && isTaken)).toEqual([]);
  expect(course.findIndex(({ mayOrder }) => !mayOrder)).toBe(18); // 9.5 s
  expect(course.findIndex(({ isTaken }) => isTaken)).toBe(20); // 10.5 s: at ten the lease is just over
  expect(lease.lost.aborted).toBe(true);
}

test('an owner that the database cannot hear orders nothing any more when another Controller takes its Run, and that is no sooner than ten seconds after its last renewal', () =>
  losesInTime(0));

test('the same after the next renewal where the clock of the database was set back by ten seconds', () =>
  losesInTime(-10_000));

test('an owner that is replaced learns that from its next renewal', async () => {
  using lease = await hold();
  await database.pass(10_001); // the clock of its own machine stood still
  expect(await takes()).toBe(true);
  expect(lease.mayOrder).toBe(true);
  await time.pass(2_000);
  await expect.poll(() => lease.lost.aborted, { interval: 2 }).toBe(true);
  expect(lease.mayOrder).toBe(false);
});

test('a Run whose owner was killed is taken three seconds after its last renewal, one whose owner hangs is not', async () => {
  await announce(first);
  await announce(second);
  const client = await database.pool.connect();
  try {
    expect(await holdSign(client, first)).toBe(true);
    await claimRun(database.pool, first);
    await database.pass(3_001);
    expect(await takes()).toBe(false);
    await client.query('select pg_advisory_unlock_all()');
    await database.pool.query(`update run set owner_until = now() + interval '7.5 seconds'`); // renewed 2.5 s ago
    expect(await takes()).toBe(false);
    await database.pass(501);
    expect(await takes()).toBe(true);
  } finally {
    client.release();
  }
});

test('soon after a start of PostgreSQL nobody is taken for killed: the signs are not there again yet', async () => {
  await announce(first);
  await claimRun(database.pool, first);
  await database.startedAgo(0);
  await database.pass(5_000);
  expect(await takes()).toBe(false);
  // The owner lives, and renews its lease.
  await database.pool.query(`update run set owner_until = now() + interval '6.9 seconds'`);
  await database.pass(silenceSeconds * 1000 - 5_000);
  expect(await takes()).toBe(false);
  await database.pass(1);
  expect(await takes()).toBe(true);
});
