import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino, { type Logger } from 'pino';
import { connectDatabase } from '#controller/database/connect.ts';
import { migrate } from '#controller/database/migrate.ts';
import { chooseAccount, nameDataFolder, runAsAccount } from '#controller/database/embedded/choose-account.ts';
import { applicationRole } from '#controller/database/embedded/separate-roles.ts';
import { startEmbeddedPostgres, locateBinaries } from '#controller/database/embedded/start-embedded-postgres.ts';
import { templateDatabase } from './template-database.ts';

/** Starts a PostgreSQL for tests, with a migrated database that each test file clones. */
export async function openTestServer(): Promise<{ url: string } & AsyncDisposable> {
  const folder = await mkdtemp(path.join(tmpdir(), 'http-ae-test-postgres-'));
  const log = pino({ level: 'warn' }, pino.destination(2));
  const signal = AbortSignal.timeout(60_000);
  await letMakeDatabases(folder, { log, signal });
  const postgres = await startEmbeddedPostgres({ folder, log, signal });

  const server = await connectDatabase({ databaseUrl: postgres.databaseUrl, log });
  await server.query(`create database ${templateDatabase}`);
  await server.end();
  const templateUrl = new URL(postgres.databaseUrl);
  templateUrl.pathname = templateDatabase;
  const template = await connectDatabase({ databaseUrl: templateUrl.href, log });
  await migrate(template, log);
  await template.end();

  return {
    url: postgres.databaseUrl,
    async [Symbol.asyncDispose]() {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** HTTP-AE itself may make no databases; its tests need many. */
async function letMakeDatabases(folder: string, { log, signal }: { log: Logger; signal: AbortSignal }): Promise<void> {
  await (await startEmbeddedPostgres({ folder, log, signal })).stop();
  const account = await chooseAccount(await locateBinaries());
  const dataFolder = path.join(folder, 'data');
  await runAsAccount(account, {
    program: 'postgres',
    dataFolder,
    args: ['--single', '-D', nameDataFolder(account, dataFolder), '-c', 'exit_on_error=on', 'postgres'],
    // Without the right to signal, no database can be dropped while an autovacuum is in it.
    // What a test stores need not outlive the machine: each new database would wait for the disk otherwise.
    input: `alter role ${applicationRole} createdb\ngrant pg_signal_backend to ${applicationRole}\nalter system set fsync = off\n`,
    signal,
  });
}
