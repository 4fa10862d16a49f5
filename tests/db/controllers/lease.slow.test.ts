import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEvaluation } from '#controller/db/evaluations.ts';
import { createRun } from '#controller/db/runs/runs.ts';
import { startTestController } from '../../support/controller.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeEvaluation } from '../../support/sample-evaluation.ts';
import { joinAgent } from '../../support/join-agent.ts';
import { startTcpRelay } from '../../support/tcp-relay.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database[Symbol.asyncDispose]());

test(
  'an owner that the database does not answer stops its Round by itself, before its lease ends, and takes the Run again when it does',
  { timeout: 120_000 },
  async () => {
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
    await expect.poll(() => heard('cancel-pass'), { timeout: 15_000, interval: 20 }).toBe(2);
    const { rows } = await pool.query<{ left_s: number }>(
      'select extract(epoch from owner_until - now())::float8 as left_s from run',
    );
    expect(rows[0]!.left_s).toBeGreaterThan(0.5);

    relay.resume();
    await expect.poll(() => heard('prepare-pass'), { timeout: 60_000 }).toBe(4);
    const rounds = await pool.query('select index, state, problem from round where run_id = $1 order by attempt', [
      runId,
    ]);
    expect(rounds.rows).toMatchObject([
      { index: 0, state: 'broken', problem: 'The Controller was interrupted in this Round' },
      { index: 0, state: 'preparing' },
    ]);
  },
);
