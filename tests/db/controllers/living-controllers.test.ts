import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  announceController,
  readLinesElsewhere,
  readLinesOf,
  readOwnersOf,
  removeController,
  removeEarlierStarts,
} from '#controller/agents/exchange/controllers.ts';
import { createEvaluation } from '#controller/evaluations/evaluations.ts';
import { claimRun } from '#controller/runs/claim-run.ts';
import { createRun } from '#controller/runs/stored-runs.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { holdForEach } from '#tests/support/hold.ts';

const [one, other] = [randomUUID(), randomUUID()];
const database = holdForEach(createTestDatabase);

const announce = (id: string, lines: Record<string, number> = {}) =>
  announceController(
    database.pool,
    { id, name: `name of ${id}`, oneRunAtATime: false, hasSign: false },
    Object.entries(lines).map(([agent, line]) => ({ agent, line })),
  );
const fallSilent = (id: string, seconds: number) =>
  database.pool.query('update controller set seen_at = now() - make_interval(secs => $2) where id = $1', [id, seconds]);
const linesOf = async (agents: string[], options?: { isSure: boolean }) =>
  (await readLinesOf(database.pool, agents, options)).map(({ agent, controller, line }) => [agent, controller, line]);

test('a Controller knows how many others live: those that were seen within ten seconds', async () => {
  expect(await announce(one)).toBe(0);
  expect(await announce(other)).toBe(1);
  expect(await announce(other)).toBe(1);
  await fallSilent(one, 11);
  expect(await announce(other)).toBe(0);
  expect(await announce(one)).toBe(1);
  await removeController(database.pool, other);
  expect(await announce(one)).toBe(0);
});

test('a Controller that was killed is remembered for an hour', async () => {
  await announce(one);
  const isKnown = async () => (await database.pool.query('select from controller where id = $1', [one])).rowCount === 1;
  await fallSilent(one, 3590);
  await announce(other);
  expect(await isKnown()).toBe(true);
  await fallSilent(one, 3610);
  await announce(other);
  expect(await isKnown()).toBe(false);
});

test('the last line of an Agent counts, wherever it is, until its Controller says that it has ended or falls silent', async () => {
  await announce(one, { laptop: 1, desk: 2 });
  await announce(other, { laptop: 3 });
  expect(await linesOf(['laptop', 'desk', 'unknown'])).toEqual([
    ['desk', one, 2],
    ['laptop', other, 3],
  ]);
  expect(await linesOf(['laptop'])).toEqual([['laptop', other, 3]]);
  expect(await readLinesElsewhere(database.pool, one)).toEqual(new Map([['laptop', `name of ${other}`]]));
  expect(await readLinesElsewhere(database.pool, other)).toEqual(new Map([['desk', `name of ${one}`]]));
  // It came back to a Controller that has a line of it already.
  await announce(one, { laptop: 4, desk: 2 });
  expect(await linesOf(['laptop'])).toEqual([['laptop', one, 4]]);
  await fallSilent(one, 6);
  expect(await linesOf(['laptop'])).toEqual([['laptop', one, 4]]);
  expect(await linesOf(['laptop'], { isSure: true })).toEqual([]);
  await fallSilent(one, 11);
  expect(await linesOf(['laptop', 'desk'])).toEqual([['laptop', other, 3]]);
  await announce(one, { desk: 2 });
  expect(await linesOf(['laptop', 'desk'])).toEqual([
    ['desk', one, 2],
    ['laptop', other, 3],
  ]);
  await announce(other);
  expect(await linesOf(['laptop'])).toEqual([]);
});

test('the start of a Controller forgets the earlier ones of its name, and no other', async () => {
  await announce(one);
  await announce(other);
  const named = async () =>
    (await database.pool.query<{ id: string }>('select id from controller')).rows.map(({ id }) => id);
  await removeEarlierStarts(database.pool, { id: randomUUID(), name: `name of ${one}` });
  expect(await named()).toEqual([other]);
  await removeEarlierStarts(database.pool, { id: other, name: `name of ${other}` });
  expect(await named()).toEqual([other]);
});

test('the owners of Runs of an Agent are known to the other Controllers', async () => {
  const { pool } = database;
  const evaluation = makeEvaluation();
  const { id: evaluationId } = await createEvaluation(pool, evaluation);
  await createRun(pool, { evaluationId, evaluation, seed: 1, roundsPlanned: 4 });
  const ownersFor = (id: string, agents = ['laptop']) => readOwnersOf(pool, { id, agents });
  expect(await ownersFor(other)).toEqual(new Map());
  await claimRun(pool, one);
  expect(await ownersFor(other)).toEqual(new Map([['laptop', [one]]]));
  expect(await ownersFor(one)).toEqual(new Map());
  expect(await ownersFor(other, ['desk'])).toEqual(new Map());
  await pool.query(`update run set state = 'completed'`);
  expect(await ownersFor(other)).toEqual(new Map());
});
