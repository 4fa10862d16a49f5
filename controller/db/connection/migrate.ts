import path from 'node:path';
import { runner } from 'node-pg-migrate';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { AppError } from '#core/app-error.ts';
import { isTransient } from './is-transient.ts';
import { withClient } from './with-client.ts';

const folder = path.join(import.meta.dirname, '..', '..', '..', 'migrations');

/**
 * Brings the schema of the database up to date, all migrations in one transaction; of several Controllers that start at
 * once one does, and the others wait. Throws `migration-failed`, and connection errors as they are.
 */
export async function migrate(pool: Pool, log: Logger): Promise<void> {
  try {
    const applied = await withClient(pool, (client) =>
      runner({
        dbClient: client,
        dir: folder,
        direction: 'up',
        migrationsTable: 'migration',
        advisoryLockMode: 'wait',
        singleTransaction: true,
        logger: {
          debug: () => undefined,
          info: () => undefined,
          warn: (text) => log.warn(text),
          error: (text) => log.error(text),
        },
      }),
    );
    if (applied.length > 0)
      log.info(`Database: ${applied.length} ${applied.length === 1 ? 'migration' : 'migrations'} applied`);
    for (const { name } of applied) log.debug(`Migration ${name} applied`);
  } catch (error) {
    if (isTransient(error)) throw error;
    throw new AppError(
      'migration-failed',
      `Cannot update the database schema: ${(error as Error).message}. ` +
        'Use the version of HTTP-AE that this database belongs to, or set DATABASE_URL to another database',
      { cause: error },
    );
  }
}
