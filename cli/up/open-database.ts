import path from 'node:path';
import type { Logger } from 'pino';
import { startEmbeddedPostgres } from '#controller/postgres/start-embedded-postgres.ts';

/** The database server that DATABASE_URL names, which stays as it is; else an embedded one in `folder`, stopped when disposed of. */
export async function openDatabase(options: { folder: string; environment: NodeJS.ProcessEnv; log: Logger; signal: AbortSignal }): Promise<{ databaseUrl: string } & AsyncDisposable> {
  const { folder, environment, log, signal } = options;
  const named = environment.DATABASE_URL;
  if (named) return { databaseUrl: named, [Symbol.asyncDispose]: () => Promise.resolve() };
  return startEmbeddedPostgres({ folder: path.join(folder, 'postgres'), log, signal });
}
