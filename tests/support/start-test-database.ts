import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import type { TestProject } from 'vitest/node';
import { connectDatabase } from '#controller/db/connect.ts';
import { migrate } from '#controller/db/migrate.ts';
import { startEmbeddedPostgres } from '#controller/postgres/start-embedded-postgres.ts';
import { templateDatabase } from './database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string;
  }
}

/** Starts one PostgreSQL for a run of the tests, with a migrated database that each test file clones. */
export default async function startTestDatabase(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'http-ae-test-postgres-'));
  const log = pino({ level: 'warn' }, pino.destination(2));
  const postgres = await startEmbeddedPostgres({ folder, log, signal: AbortSignal.timeout(60_000) });

  const server = await connectDatabase({ databaseUrl: postgres.databaseUrl, log });
  await server.query(`create database ${templateDatabase}`);
  await server.end();
  const templateUrl = new URL(postgres.databaseUrl);
  templateUrl.pathname = templateDatabase;
  const template = await connectDatabase({ databaseUrl: templateUrl.href, log });
  await migrate(template, log);
  await template.end();

  project.provide('serverUrl', postgres.databaseUrl);
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
