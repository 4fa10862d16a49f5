import { expect, test } from 'vitest';
import { createEvaluation } from '#controller/evaluations/evaluations.ts';
import { createRun } from '#controller/runs/stored-runs.ts';
import { startTestController } from '../../support/controller.ts';
import { createHeldDatabase } from '../../support/held-database.ts';
import { HeldTime } from '../../support/held-time.ts';
import { makeEvaluation } from '../../support/sample-evaluation.ts';
import { joinAgent } from '../../support/join-agent.ts';
import { startTcpRelay } from '../../support/tcp-relay.ts';

// A real Controller and a real database; the time of both is held, and the cable between them can be pulled.

async function startOnRelay(stack: AsyncDisposableStack) {
  const database = stack.use(await createHeldDatabase());
  const straight = new URL(database.databaseUrl);
  const relay = stack.use(await startTcpRelay(Number(straight.port)));
  const databaseUrl = Object.assign(new URL(straight), { port: String(relay.port) }).href;
  const time = new HeldTime();
  const { controller } = await startTestController({ sharedDatabase: database, databaseUrl, time });
  const { pool } = controller;
  const isAnswered = () => pool.idleCount === pool.totalCount && pool.waitingCount === 0;
  /** Lets time pass until this holds, no faster than the database answers. */
  const passUntil = (holds: () => boolean) =>
    expect
      .poll(
        async () => {
          await expect.poll(isAnswered, { interval: 2 }).toBe(true);
          await database.pass(250);
          await time.pass(250);
          return holds();
        },
        { interval: 10 },
      )
      .toBe(true);
  return { database, relay, controller, time, passUntil };
}

test('an owner that the database does not answer stops its Round by itself, before its lease ends, and takes the Run again when it does', async () => {
  await using stack = new AsyncDisposableStack();
  const { database, relay, controller, time, passUntil } = await startOnRelay(stack);
  stack.defer(() => controller.close());
  const { pool } = database;
  const evaluation = makeEvaluation();
  const { id: evaluationId } = await createEvaluation(pool, evaluation);
  const runId = await createRun(pool, { evaluationId, evaluation, seed: 1, roundsPlanned: 4 });
  await using agent = await joinAgent({ ...controller, pool }, { name: 'laptop' });
  const heard = (type: string) => agent.heard.filter((message) => message.type === type).length;
  await passUntil(() => heard('prepare-pass') === 2);

  relay.halt();
  for (let step = 1; heard('cancel-pass') < 2; step++) {
    expect(step).toBeLessThanOrEqual(32); // eight seconds
    await database.pass(250);
    await time.pass(250);
    // What was sent before this answer has come when it has.
    agent.say({ type: 'clock-request', agentEpochMs: step });
    await expect.poll(() => heard('clock-reply'), { interval: 2 }).toBe(step);
  }
  const { rows } = await pool.query<{ left_s: number }>(
    'select extract(epoch from owner_until - now())::float8 as left_s from run',
  );
  expect(rows[0]!.left_s).toBeGreaterThanOrEqual(1.5);

  relay.resume();
  await passUntil(() => heard('prepare-pass') === 4);
  const rounds = await pool.query('select index, state, problem from round where run_id = $1 order by attempt', [
    runId,
  ]);
  expect(rounds.rows).toMatchObject([
    { index: 0, state: 'broken', problem: 'The Controller was interrupted in this Round' },
    { index: 0, state: 'preparing' },
  ]);
});

test('a Controller whose database says nothing any more waits for it no longer than 25 s at its shutdown', async () => {
  await using stack = new AsyncDisposableStack();
  const { relay, controller, time } = await startOnRelay(stack);
  relay.halt();
  let isClosed = false;
  const closing = controller.close().then(() => (isClosed = true));
  await time.pass(24_999);
  expect(isClosed).toBe(false);
  await time.pass(1);
  // Now each connection breaks, and that of the notices has five seconds for its farewell.
  const passOn = async () => {
    await time.pass(1_000);
    return isClosed;
  };
  await expect.poll(passOn, { interval: 50 }).toBe(true);
  await closing;
  relay.resume();
});
