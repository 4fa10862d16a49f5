import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connectDatabase } from '#controller/database/connect.ts';
import { findServer } from '#controller/database/embedded/server-process.ts';
import { startEmbeddedPostgres } from '#controller/database/embedded/start-embedded-postgres.ts';
import { retryTransient } from '#controller/database/is-transient.ts';
import { commandOf, hasVariable, listProcesses } from '#tests/support/list-processes.ts';

const log = pino({ level: 'silent' });
/** Of all tests of this file together: each has a limit of its own. */
const signal = AbortSignal.timeout(300_000);
let folder: string;
let dataFolder: string;

beforeEach(async () => {
  folder = path.join(await realpath(await mkdtemp(path.join(tmpdir(), 'http-ae-postgres-'))), 'postgres');
  dataFolder = path.join(folder, 'data');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(path.dirname(folder), { recursive: true, force: true });
});

/** Those of the start of this test alone, as they inherit its environment. */
const processesOfStart = () => listProcesses((pid) => hasVariable(pid, `HTTP_AE_TEST_FOLDER=${folder}`)).map(commandOf);

const start = () => startEmbeddedPostgres({ folder, log, signal });

async function query(databaseUrl: string, sql: string): Promise<unknown> {
  const pool = await retryTransient(() => connectDatabase({ databaseUrl, log }), { signal, log });
  try {
    return Object.values((await pool.query<Record<string, unknown>>(sql)).rows[0] ?? {})[0];
  } finally {
    await pool.end();
  }
}

/** Polls a condition of another process, which nothing announces. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(20, undefined, { signal });
}

test('the first start makes a database that only this machine and only its password can reach', async () => {
  await using postgres = await start();
  expect(new URL(postgres.databaseUrl).hostname).toBe('127.0.0.1');
  expect(await query(postgres.databaseUrl, 'show listen_addresses')).toBe('127.0.0.1');
  expect((await stat(path.join(folder, 'access.json'))).mode & 0o777).toBe(0o600);

  const wrong = Object.assign(new URL(postgres.databaseUrl), { password: 'wrong' }).href;
  const failure = await connectDatabase({ databaseUrl: wrong, log }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'database-unreachable' });
  expect(String(failure)).toContain(`${new URL(wrong).host}/postgres`);
  expect(String(failure)).not.toContain('wrong');
});

test('a first start that is given up while initdb runs has ended it and all that it started', async () => {
  vi.stubEnv('HTTP_AE_TEST_FOLDER', folder);
  const interrupt = new AbortController();
  const starting = startEmbeddedPostgres({ folder, log, signal: interrupt.signal });
  const result = starting.then(
    () => 'started',
    (error: unknown) => error,
  );
  await until(() => Promise.resolve(processesOfStart().some((command) => /--(check|boot|single)\b/.test(command))));
  interrupt.abort(new Error('Ctrl-C'));
  expect(await result).toEqual(new Error('Ctrl-C'));
  expect(processesOfStart()).toEqual([]);
  expect(existsSync(dataFolder)).toBe(false);
});

test('a later start keeps data and address', async () => {
  const first = await start();
  await query(first.databaseUrl, 'create table kept as select 42 as answer');
  await first.stop();
  expect(existsSync(`/proc/${first.processId}`)).toBe(false);

  await using second = await start();
  expect(second.databaseUrl).toBe(first.databaseUrl);
  expect(await query(second.databaseUrl, 'select answer from kept')).toBe(42);
});

test('a server that is killed is started again at the same address, with what was committed', async () => {
  await using postgres = await start();
  const killed = postgres.processId;
  await query(postgres.databaseUrl, 'create table kept as select 42 as answer');
  process.kill(killed, 'SIGKILL');

  await until(() => Promise.resolve(postgres.processId !== killed));
  expect(await query(postgres.databaseUrl, 'select answer from kept')).toBe(42);
});

test('a postmaster.pid that names another program, or nothing that lives, does not hold up a start', async () => {
  const first = await start();
  await first.stop();
  for (const processId of [process.pid, 4_000_000]) {
    await writeFile(path.join(dataFolder, 'postmaster.pid'), `${processId}\n${dataFolder}\n`);
    await using postgres = await start();
    expect(await query(postgres.databaseUrl, 'select 1')).toBe(1);
  }
});

test('a second start on the same folder uses the running server, and leaves it running', async () => {
  await using owner = await start();
  const guest = await start();
  expect(guest.processId).toBe(owner.processId);
  expect(guest.databaseUrl).toBe(owner.databaseUrl);
  await guest.stop();
  expect(await query(owner.databaseUrl, 'select 1')).toBe(1);
});

test('when the owner of a shared server goes, the other one starts it again', async () => {
  const owner = await start();
  await using guest = await start();
  await owner.stop();
  await until(() => Promise.resolve(guest.processId !== owner.processId));
  expect(await query(guest.databaseUrl, 'select 1')).toBe(1);
});

test('a running server that does not know our password is not touched', async () => {
  await using owner = await start();
  const access = await readFile(path.join(folder, 'access.json'), 'utf8');
  await writeFile(path.join(folder, 'access.json'), access.replace(/"password":".*?"/, '"password":"another"'));
  await expect(start()).rejects.toMatchObject({ code: 'postgres-failed' });
  expect(await query(owner.databaseUrl, 'select 1')).toBe(1);
});

test('two first starts at once share one database', async () => {
  const [one, other] = await Promise.all([start(), start()]);
  expect(one.databaseUrl).toBe(other.databaseUrl);
  expect(await query(one.databaseUrl, 'select 1')).toBe(1);
  await Promise.all([one.stop(), other.stop()]);
  expect(await findServer(dataFolder)).toEqual({ kind: 'none' });
});

test('no server is left when its owner is killed', async () => {
  const owner = spawn(process.execPath, [path.join(import.meta.dirname, 'own-postgres.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(createInterface(owner.stdout), 'line');
  expect(await findServer(dataFolder)).toMatchObject({ kind: 'running' });

  owner.kill('SIGKILL');
  await until(async () => (await findServer(dataFolder)).kind === 'none');
});
