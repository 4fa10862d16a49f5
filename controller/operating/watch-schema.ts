import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AppError } from '#core/app-error.ts';
import { findMigrationProblem } from '../db/connection/migrate.ts';
import type { Queryable } from '../db/connection/queryable.ts';

const everyMs = 10_000;

export interface SchemaWatch extends AsyncDisposable {
  /** Aborts, with an AppError 'migration-failed', when another version has updated the schema: what this one would write may be wrong. */
  outdated: AbortSignal;
}

/** Looks every 10 s whether the database has the schema of this version. */
export function watchSchema(db: Queryable, log: Logger): SchemaWatch {
  const lifetime = new AbortController();
  const outdated = new AbortController();
  const watch = async () => {
    while (!lifetime.signal.aborted && !outdated.signal.aborted) {
      await wait(everyMs, undefined, { signal: lifetime.signal, ref: false }).catch(() => undefined);
      if (lifetime.signal.aborted) return;
      try {
        const problem = await findMigrationProblem(db);
        if (problem !== null) outdated.abort(new AppError('migration-failed', problem));
      } catch (error) {
        log.debug({ err: error }, 'Cannot look which schema the database has; trying again');
      }
    }
  };
  const done = watch();
  return {
    outdated: outdated.signal,
    async [Symbol.asyncDispose]() {
      lifetime.abort();
      await done;
    },
  };
}
