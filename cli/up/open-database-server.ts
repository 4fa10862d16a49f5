import path from 'node:path';
import type { Logger } from 'pino';
import { startEmbeddedPostgres } from '#controller/database/embedded/start-embedded-postgres.ts';

interface OpenDatabase extends AsyncDisposable {
  databaseUrl: string;
  /** Of the same database, past a pooler that `databaseUrl` may name. */
  listenDatabaseUrl: string;
  /** Undefined where only the server knows. */
  databaseFolder: string | undefined;
}

/** The database server that DATABASE_URL, and LISTEN_DATABASE_URL where that is a pooler, names, which stays as it is; else an embedded one in `folder`, stopped when disposed of. */
export async function openDatabaseServer(options: {
  folder: string;
  environment: NodeJS.ProcessEnv;
  log: Logger;
  signal: AbortSignal;
}): Promise<OpenDatabase> {
  const { folder, environment, log, signal } = options;
  const named = environment.DATABASE_URL;
  if (named) {
    return {
      databaseUrl: named,
      listenDatabaseUrl: environment.LISTEN_DATABASE_URL || named,
      databaseFolder: undefined,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }
  const databaseFolder = path.join(folder, 'postgres');
  const postgres = await startEmbeddedPostgres({ folder: databaseFolder, log, signal });
  const { databaseUrl } = postgres;
  return {
    databaseUrl,
    listenDatabaseUrl: databaseUrl,
    databaseFolder,
    [Symbol.asyncDispose]: () => postgres.stop(),
  };
}
