import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { AppError } from '#core/app-error.ts';
import { findUndigestedRun } from '../runs/run-digests.ts';
import type { ReportMaker } from './report-maker.ts';

const digestEveryMs = 3000;

interface DigestOptions {
  pool: Pool;
  reports: Pick<ReportMaker, 'readComparison'>;
  /** Of the machine that this Controller runs on. */
  machineId: string | null;
  log: Logger;
}

/**
 * Lets the report of each ended Run that has no digest be computed, which stores one: one Run at a time, the newest first, and none while an Agent measures on
 * this machine. Of several Controllers on a database, two may do the same once.
 */
export function digestRuns({ pool, reports, machineId, log }: DigestOptions): AsyncDisposable {
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const isOver = () => signal.aborted;
  /** Computed once, for better or worse. A Controller of another version may replace a digest, and then each would replace that of the other without end. */
  const tried: string[] = [];

  const digestOne = async (): Promise<boolean> => {
    const run = await findUndigestedRun(pool, { except: tried, machineId });
    if (!run || isOver()) return false;
    try {
      await reports.readComparison(run.id, 'navigation-start', 'pooled'); // as its page asks for it
    } catch (error) {
      if (isOver() || (error instanceof AppError && error.code === 'database-unreachable')) throw error;
      log.warn({ err: error, run: run.id }, 'The outcome of a Run cannot be computed for lists');
    }
    tried.push(run.key);
    return true;
  };
  const digestAll = async () => {
    while (!isOver()) {
      try {
        while (!isOver() && (await digestOne()));
      } catch (error) {
        log.debug({ err: error }, 'Cannot look for Runs without an outcome, or compute one; trying again in 3 s');
      }
      await wait(digestEveryMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const done = digestAll();
  return {
    async [Symbol.asyncDispose]() {
      lifetime.abort();
      await done;
    },
  };
}
