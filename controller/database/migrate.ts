import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { PG_MIGRATE_LOCK_ID, runner } from 'node-pg-migrate';
import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import { AppError } from '#core/app-error.ts';
import { isTransient } from './is-transient.ts';
import type { Queryable } from './queryable.ts';

const folder = path.join(import.meta.dirname, '..', '..', 'migrations');

/**
 * Brings the schema of the database up to date, all migrations in one transaction; of several Controllers that start at
 * once one does, and the others wait. Throws `migration-failed`, and connection errors as they are.
 */
export function migrate(pool: Pool, log: Logger): Promise<void> {
  return withClient(pool, (client) => applyMigrations(client, log, { count: Infinity }));
}

/** Lets no other migration of this database begin before the transaction of the client has ended. */
export async function lockMigrations(client: Queryable): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [PG_MIGRATE_LOCK_ID]);
}

/** As `migrate`, in the transaction that the client is in. `count`: the first migrations only. */
export function migrateWithin(
  client: PoolClient,
  log: Logger,
  { count = Infinity }: { count?: number } = {},
): Promise<void> {
  return applyMigrations(nestTransactions(client), log, { count });
}

async function applyMigrations(client: PoolClient, log: Logger, { count }: { count: number }): Promise<void> {
  try {
    const applied = await runner({
      dbClient: client,
      dir: folder,
      direction: 'up',
      count,
      migrationsTable: 'migration',
      advisoryLockMode: 'wait',
      singleTransaction: true,
      logger: {
        debug: () => undefined,
        info: () => undefined,
        warn: (text) => log.warn(text),
        error: (text) => log.error(text),
      },
    });
    if (count === Infinity) await refuseOtherSchema(client);
    if (applied.length > 0)
      log.info(`Database: ${applied.length} ${applied.length === 1 ? 'migration' : 'migrations'} applied`);
    for (const { name } of applied) log.debug(`Migration ${name} applied`);
  } catch (error) {
    if (isTransient(error) || error instanceof AppError) throw error;
    throw new AppError(
      'migration-failed',
      `Cannot update the database schema: ${(error as Error).message}. ` +
        'Use the version of HTTP-AE that this database belongs to, or set DATABASE_URL to another database',
      { cause: error },
    );
  }
}

/** The client, for one who begins and commits transactions and is to work in a part of the one under way. */
function nestTransactions(client: PoolClient): PoolClient {
  const nested = new Map([
    ['BEGIN', 'savepoint nested'],
    ['COMMIT', 'release savepoint nested'],
    ['ROLLBACK', 'rollback to savepoint nested'],
  ]);
  const query = (text: string, values?: unknown[]) => client.query(nested.get(text) ?? text, values);
  return Object.create(client, { query: { value: query } }) as PoolClient;
}

async function refuseOtherSchema(db: Queryable): Promise<void> {
  const problem = await findMigrationProblem(db);
  if (problem !== null) throw new AppError('migration-failed', `${problem}, or set DATABASE_URL to another database`);
}

/** Why this version cannot work with the schema that the database has now; null where it can. Throws connection errors as they are. */
export async function findMigrationProblem(db: Queryable): Promise<string | null> {
  const own = await listMigrations();
  const applied = await listAppliedMigrations(db);
  const missing = own.filter((name) => !applied.includes(name));
  const foreign = applied.filter((name) => !own.includes(name));
  if (missing.length > 0)
    return `The database lacks the migration ${missing[0]!}: restart the Controller, which applies it`;
  if (foreign.length > 0)
    return `The database has the migration ${foreign[0]!} of another version of HTTP-AE: install that version`;
  return null;
}

/** The names of all migrations of this version, in order. */
export async function listMigrations(): Promise<string[]> {
  const files = await readdir(folder);
  return files
    .filter((file) => file.endsWith('.sql'))
    .map((file) => path.parse(file).name)
    .sort();
}

/** The names of the migrations that a database has, in order. */
export async function listAppliedMigrations(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>('select name from migration order by id');
  return rows.map(({ name }) => name);
}

/** Lends one connection to `work`. One that broke meanwhile is not used again; `work` learns it from its next statement. */
export async function withClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  const noteFailure = (error: Error) => {
    failure = error; // without a listener, the event of a broken connection would end the process
  };
  client.on('error', noteFailure);
  try {
    return await work(client);
  } finally {
    client.off('error', noteFailure);
    client.release(failure);
  }
}
