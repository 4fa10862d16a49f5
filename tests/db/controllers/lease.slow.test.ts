import { expect, test } from 'vitest';
import { createEvaluation } from '#controller/evaluations/evaluations.ts';
import { createRun } from '#controller/runs/stored-runs.ts';
import { startTestController } from '../../support/controller.ts';
import { createTestDatabase } from '../../support/database.ts';
import { makeEvaluation } from '../../support/sample-evaluation.ts';
import { joinAgent } from '../../support/join-agent.ts';
import { judgeTime } from '../../support/judge-time.ts';
import { startTcpRelay } from '../../support/tcp-relay.ts';

/** Halts the database under a Round, and returns for how long the lease still ran when the Agents were ordered to stop. */
async function haltUnderRound(): Promise<number> {
  await using database = await createTestDatabase();
  const { pool } = database;
  const straight = new URL(database.databaseUrl);
  await using relay = await startTcpRelay(Number(straight.port));
  const databaseUrl = Object.assign(new URL(straight), { port: String(relay.port) }).href;
  await using it = await startTestController({ sharedDatabase: database, databaseUrl });
  const evaluation = makeEvaluation();
  const { id: evaluationId } = await createEvaluation(pool, evaluation);
  const runId = await createRun(pool, { evaluationId, evaluation, seed: 1, roundsPlanned: 4 });
  await using agent = await joinAgent({ ...it.controller, pool }, { name: 'laptop' });
  const heard = (type: string) => agent.heard.filter((message) => message.type === type).length;
  await expect.poll(() => heard('prepare-pass'), { timeout: 60_000 }).toBe(2);

  relay.halt();
  await expect.poll(() => heard('cancel-pass'), { timeout: 60_000, interval: 20 }).toBe(2);
  const { rows } = await pool.query<{ left_s: number }>(
    'select extract(epoch from owner_until - now())::float8 as left_s from run',
  );

  relay.resume();
  await expect.poll(() => heard('prepare-pass'), { timeout: 60_000 }).toBe(4);
  const rounds = await pool.query('select index, state, problem from round where run_id = $1 order by attempt', [
    runId,
  ]);
  expect(rounds.rows).toMatchObject([
    { index: 0, state: 'broken', problem: 'The Controller was interrupted in this Round' },
    { index: 0, state: 'preparing' },
  ]);
  return rows[0]!.left_s;
}

test(
  'an owner that the database does not answer stops its Round by itself, before its lease ends, and takes the Run again when it does',
  { timeout: 400_000 },
  (context) =>
    judgeTime(context, { measure: haltUnderRound, holds: (leftSeconds) => expect(leftSeconds).toBeGreaterThan(0.5) }),
);
