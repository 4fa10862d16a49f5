import type { Logger } from 'pino';
import { AppError } from '#core/app-error.ts';
import { findMigrationProblem } from '../database/migrate.ts';
import type { Queryable } from '../database/queryable.ts';

const everyMs = 10_000;

export interface SchemaWatch extends AsyncDisposable {
  /** Aborts, with an AppError 'migration-failed', when another version has updated the schema: what this one would write may be wrong. */
  outdated: AbortSignal;
}

/** Looks every 10 s whether the database has the schema of this version. */
export function watchSchema(db: Queryable, log: Logger): SchemaWatch {
  const outdated = new AbortController();
  let looking: Promise<void> | null = null;
  const look = async () => {
    try {
      const problem = await findMigrationProblem(db);
      if (problem !== null) outdated.abort(new AppError('migration-failed', problem));
    } catch (error) {
      log.debug({ err: error }, 'Cannot look which schema the database has; trying again in 10 s');
    }
  };
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = null;
    });
  }, everyMs);
  return {
    outdated: outdated.signal,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await looking;
    },
  };
}
