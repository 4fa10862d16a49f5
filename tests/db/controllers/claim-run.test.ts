import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { announceController } from '#controller/agents/exchange/controllers.ts';
import { createEvaluation } from '#controller/evaluations/evaluations.ts';
import { claimRun } from '#controller/runs/claim-run.ts';
import { createRun } from '#controller/runs/stored-runs.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { holdForEach } from '#tests/support/hold.ts';

const [one, other] = [randomUUID(), randomUUID()];
const database = holdForEach(createTestDatabase);

const set = (runs: readonly string[], change: string) =>
  database.pool.query(`update run set ${change} where id = any($1)`, [runs]);
/** Runs of the same Host, in their order. */
async function order(count: number): Promise<string[]> {
  const { pool } = database;
  const evaluation = makeEvaluation();
  const { id: evaluationId } = await createEvaluation(pool, evaluation);
  const runs: string[] = [];
  for (let index = 0; index < count; index++)
    runs.push(await createRun(pool, { evaluationId, evaluation, seed: 40 + index, roundsPlanned: 4 }));
  return runs;
}
const claim = async (owner: string, options?: Parameters<typeof claimRun>[2]) =>
  (await claimRun(database.pool, owner, options))?.id ?? null;

test('the first of the queue is taken, begins now, and the next waits for its Host', async () => {
  const [first] = (await order(2)) as [string];
  expect(await claimRun(database.pool, one)).toMatchObject({ id: first, epoch: 1, seed: 40, state: 'running' });
  const { rows } = await database.pool.query<object>(
    `select owner, state, started_at between now() - interval '1 minute' and now() as has_begun,
       extract(epoch from owner_until - now()) between 5 and 10 as is_leased from run order by id`,
  );
  expect(rows).toEqual([
    { owner: one, state: 'running', has_begun: true, is_leased: true },
    { owner: null, state: 'pending', has_begun: null, is_leased: null },
  ]);
  expect([await claim(one), await claim(other)]).toEqual([null, null]);
});

test('of Runs under way that nobody owns the oldest is taken, as it is, before any that waits', async () => {
  const [first, second, third] = (await order(4)) as [string, string, string];
  await set([first, second, third], `state = 'running', owner = 'gone', owner_until = now() - interval '1 second'`);
  await set([second], `state = 'stopping', started_at = '2026-01-01T00:00:00Z', epoch = 7`);
  await set([third], `owner_until = now() + interval '1 hour'`);
  expect(await claim(one)).toBe(first);
  expect(await claimRun(database.pool, one)).toMatchObject({ id: second, epoch: 8, state: 'stopping' });
  expect(await claim(one)).toBeNull();
  const { rows } = await database.pool.query<{ started_at: Date }>('select started_at from run where id = $1', [
    second,
  ]);
  expect(rows[0]!.started_at.toISOString()).toBe('2026-01-01T00:00:00.000Z');
});

test('a Run that a Controller is still leaving is not taken by it, neither from the queue nor under way', async () => {
  const [first] = (await order(1)) as [string];
  expect(await claim(one, { except: [first] })).toBeNull();
  const [second] = (await order(1)) as [string];
  await set([first, second], `state = 'running', owner_until = now() - interval '1 second'`);
  expect(await claim(one, { except: [first] })).toBe(second);
  expect(await claim(one, { except: [first] })).toBeNull();
  expect(await claim(other)).toBe(first);
});

test('for three seconds a Run is left to the Controller that has most of its Agents', async () => {
  const [run] = (await order(1)) as [string];
  const announce = (id: string, agents: string[]) =>
    announceController(
      database.pool,
      { id, name: id, oneRunAtATime: false, hasSign: false },
      agents.map((agent) => ({ agent, line: 1 })),
    );
  await announce(one, []);
  await announce(other, ['laptop']);
  await set([run], `created_at = now() + interval '1 hour'`);
  expect(await claim(one)).toBeNull();
  expect(await claim(other)).toBe(run);
  await set([run], `state = 'pending', owner = null, owner_until = null, created_at = now() - interval '4 seconds'`);
  expect(await claim(one)).toBe(run);
});
