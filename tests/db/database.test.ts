import { readdirSync } from 'node:fs';
import path from 'node:path';
import pino from 'pino';
import { expect, test } from 'vitest';
import { connectDatabase } from '#controller/database/connect.ts';
import { isTransient, retryTransient } from '#controller/database/is-transient.ts';
import { migrate } from '#controller/database/migrate.ts';
import { inTransaction } from '#controller/database/transaction.ts';
import { createTestDatabase } from '../support/database.ts';
import { holdForAll } from '#tests/support/hold.ts';

const log = pino({ level: 'silent' });
const database = holdForAll(createTestDatabase);

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

test('a transaction that throws leaves nothing behind, and its connection is good for the next', async () => {
  const { pool } = database;
  const insert = `insert into evaluator (name, password_hash, role) values ('ann', 'x', 'viewer')`;
  await expect(
    inTransaction(pool, async (client) => {
      await client.query(insert);
      throw new Error('changed my mind');
    }),
  ).rejects.toThrow('changed my mind');
  expect((await pool.query('select * from evaluator')).rowCount).toBe(0);

  await inTransaction(pool, (client) => client.query(insert));
  expect((await pool.query('select * from evaluator')).rowCount).toBe(1);
});

test('a connection that breaks within a transaction fails that transaction and nothing else', async () => {
  const { pool } = database;
  const failure = await failureOf(
    inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      // once() would also take the error, which may come before anybody waits for it.
      const broken = new Promise((resolve) => client.once('end', resolve));
      await pool.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
      await broken;
      await client.query('select 1');
    }),
  );
  expect(isTransient(failure)).toBe(true);
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('a connection that the server ended is worth another try, and work on it succeeds then', async () => {
  const { pool } = database;
  const failure = await failureOf(pool.query('select pg_terminate_backend(pg_backend_pid())'));
  expect(isTransient(failure)).toBe(true);

  let tries = 0;
  const answer = await retryTransient(
    async () => {
      tries += 1;
      const sql = tries === 1 ? 'select pg_terminate_backend(pg_backend_pid())' : 'select 42 as answer';
      return (await pool.query<{ answer: number }>(sql)).rows[0]?.answer;
    },
    { signal: AbortSignal.timeout(10_000), log },
  );
  expect([tries, answer]).toEqual([2, 42]);
});

test('a server that is not there is worth another try; wrong SQL and wrong passwords are not', async () => {
  const nowhere = await failureOf(connectDatabase({ databaseUrl: 'postgres://127.0.0.1:1/nothing', log }));
  expect(nowhere).toMatchObject({
    code: 'database-unreachable',
    message: expect.stringContaining('127.0.0.1:1/nothing') as string,
  });
  expect(isTransient(nowhere)).toBe(true);

  const wrongPassword = Object.assign(new URL(database.databaseUrl), { password: 'wrong' }).href;
  expect(isTransient(await failureOf(connectDatabase({ databaseUrl: wrongPassword, log })))).toBe(false);
  expect(isTransient(await failureOf(database.pool.query('selekt')))).toBe(false);
  expect(isTransient(new Error('anything'))).toBe(false);
});

test('trying again ends when it is given up, and when it is aborted', async () => {
  const work = () => connectDatabase({ databaseUrl: 'postgres://127.0.0.1:1/nothing', log });
  await expect(
    retryTransient(work, { signal: new AbortController().signal, log, giveUp: AbortSignal.abort() }),
  ).rejects.toMatchObject({ code: 'database-unreachable' });
  await expect(retryTransient(work, { signal: AbortSignal.timeout(200), log })).rejects.toMatchObject({
    name: expect.stringMatching(/Abort|Timeout/) as string,
  });
});

test('controllers that start at once bring the schema up to date once', async () => {
  await using empty = await createTestDatabase();
  await empty.pool.query('drop schema public cascade');
  await empty.pool.query('create schema public');
  await Promise.all([migrate(empty.pool, log), migrate(empty.pool, log)]);
  const files = readdirSync(path.resolve(import.meta.dirname, '../../migrations')).map((file) => path.parse(file).name);
  expect(
    (await empty.pool.query<{ name: string }>('select name from migration order by id')).rows.map(({ name }) => name),
  ).toEqual(files.sort());
  await migrate(empty.pool, log);
});

test('a database of another version of HTTP-AE is refused with the fix', async () => {
  await using other = await createTestDatabase();
  await other.pool.query(`update migration set name = '0000_other' where name like '0001%'`);
  await expect(migrate(other.pool, log)).rejects.toMatchObject({
    code: 'migration-failed',
    message: expect.stringContaining('set DATABASE_URL to another database') as string,
  });
});
