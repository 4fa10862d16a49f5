import { isPaused } from '../db/runs/runs.ts';
import type { RunContext } from './run-context.ts';

/** Another Controller may be the one that was asked to resume, so the database is looked at. */
const lookEveryMs = 500;

/** Resolves at once, or when a paused Run is resumed. Rejects with the signal's reason when that is aborted. */
export async function untilResumed({ run, store, signal, notify, time, log }: RunContext): Promise<void> {
  if (!(await store((db) => isPaused(db, run.id)))) return;
  log.info({ run: run.id }, 'The Run is paused');
  notify();
  do {
    await time.sleep(lookEveryMs, signal);
  } while (await store((db) => isPaused(db, run.id)));
  log.info({ run: run.id }, 'The Run continues');
}
