import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Pool } from 'pg';
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectDatabase } from '#controller/database/connect.ts';
import { retryTransient } from '#controller/database/is-transient.ts';
import { migrate } from '#controller/database/migrate.ts';
import { chooseAccount } from '#controller/database/embedded/choose-account.ts';
import { findPort } from '#controller/database/embedded/bring-up-server.ts';
import { applicationRole, superuser, ensureAccess } from '#controller/database/embedded/separate-roles.ts';
import { spawnServer } from '#controller/database/embedded/server-process.ts';
import {
  startEmbeddedPostgres,
  initialiseData,
  locateBinaries,
} from '#controller/database/embedded/start-embedded-postgres.ts';

const log = pino({ level: 'silent' });
const signal = AbortSignal.timeout(120_000);
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'http-ae-postgres-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function withPool<Result>(databaseUrl: string, work: (pool: Pool) => Promise<Result>): Promise<Result> {
  const pool = await retryTransient(() => connectDatabase({ databaseUrl, log }), { signal, log });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

test('the application can neither read files of the machine nor run programs on it, and nobody can sign in as the superuser', async () => {
  await using postgres = await startEmbeddedPostgres({ folder, log, signal });
  await withPool(postgres.databaseUrl, async (pool) => {
    const insufficientPrivilege = { code: '42501' };
    await expect(pool.query(`select pg_read_file('/etc/shadow')`)).rejects.toMatchObject(insufficientPrivilege);
    await expect(pool.query(`copy (select 1) to program 'cat'`)).rejects.toMatchObject(insufficientPrivilege);
    await expect(pool.query(`copy (select 1) to '/tmp/http-ae-copy'`)).rejects.toMatchObject(insufficientPrivilege);
    await expect(pool.query('create database another')).rejects.toMatchObject(insufficientPrivilege);
    await expect(pool.query('create role another')).rejects.toMatchObject(insufficientPrivilege);
    await migrate(pool, log);
  });
  const asSuperuser = Object.assign(new URL(postgres.databaseUrl), { username: superuser }).href;
  await expect(connectDatabase({ databaseUrl: asSuperuser, log })).rejects.toMatchObject({
    code: 'database-unreachable',
  });
});

test.runIf(process.platform === 'linux')(
  'the server runs as an OS user that is not root, outside of any user namespace of its own, and its files belong to that user',
  async () => {
    await using postgres = await startEmbeddedPostgres({ folder, log, signal });
    const processFolder = `/proc/${postgres.processId}`;
    const [realUserId] = /^Uid:\s+(\d+)/m
      .exec(await readFile(`${processFolder}/status`, 'utf8'))!
      .slice(1)
      .map(Number);
    expect(realUserId).not.toBe(0);
    expect(await readFile(`${processFolder}/uid_map`, 'utf8')).toBe(await readFile('/proc/self/uid_map', 'utf8'));
    for (const name of ['', 'PG_VERSION', 'base', 'pg_hba.conf'])
      expect((await stat(path.join(folder, 'data', name))).uid, name).toBe(realUserId);
  },
);

test('data of an earlier version, all of it owned by the superuser and by root, is handed over with everything in it', async () => {
  const dataFolder = path.join(folder, 'data');
  await makeDataOfEarlierVersion(dataFolder);

  await using postgres = await startEmbeddedPostgres({ folder, log, signal });
  await withPool(postgres.databaseUrl, async (pool) => {
    expect((await pool.query('select name from evaluator')).rows).toEqual([{ name: 'ann' }]);
    const { rows } = await pool.query(
      `
      select relname from pg_class where relnamespace = 'public'::regnamespace and pg_get_userbyid(relowner) <> $1
      union all select proname from pg_proc where pronamespace = 'public'::regnamespace and pg_get_userbyid(proowner) <> $1`,
      [applicationRole],
    );
    expect(rows).toEqual([]);
    await migrate(pool, log);
    await pool.query('alter table evaluator add column nickname text');
    await expect(pool.query(`select pg_read_file('/etc/shadow')`)).rejects.toMatchObject({ code: '42501' });
  });
  if (process.getuid?.() === 0) expect((await stat(path.join(dataFolder, 'global', 'pg_control'))).uid).not.toBe(0);
});

/** Where HTTP-AE was root, its server had root's files in a user namespace; and it worked as the superuser. */
async function makeDataOfEarlierVersion(dataFolder: string): Promise<void> {
  const account = await chooseAccount(await locateBinaries(), { mayChangeUser: false });
  const { password } = await ensureAccess(folder);
  await initialiseData(dataFolder, { account, password, signal });
  const port = await findPort(null);
  const server = await spawnServer({ account, dataFolder, logFile: path.join(folder, 'server.log'), port });
  await withPool(`postgres://${superuser}:${password}@127.0.0.1:${port}/postgres`, async (pool) => {
    await migrate(pool, log);
    await pool.query(`insert into evaluator (name, password_hash, role) values ('ann', 'x', 'admin')`);
  });
  await server.stop();
  if (!server.ended.aborted) await once(server.ended, 'abort');
}
