import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { isStoreAway } from '../captures/artefacts/artefact-store.ts';
import type { PictureArchive } from '../captures/artefacts/picture-archive.ts';
import type { TraceArchive } from '../captures/artefacts/trace-archive.ts';
import { clearSome, removeErasedEvaluations, type ClearingPlace, type ClearingStep } from '../runs/clear-run.ts';
import { storeAuditEntry } from '../people/audit.ts';
import { findDueRuns, markDueRun } from './kept-days.ts';
import { rollUpRun } from '../runs/rollups.ts';

const dueAtOnce = 20;
/** Who deletes, in the audit log. */
const actor = 'retention setting';

const lookEveryMs = 5_000;
const lookForDueEveryMs = 600_000;
/** While a Run is measured, a step is followed by a pause of so many times its own time, and at least of so long. */
const quiet = { times: 10, leastMs: 500 };

interface ClearOptions {
  pool: Pool;
  traces: Pick<TraceArchive, 'removeUnclaimed'>;
  pictures: Pick<PictureArchive, 'removeUnnamed'>;
  log: Logger;
}

export interface RunClearing extends AsyncDisposable {
  /** Something was deleted, or the retention setting was changed. */
  wake(): void;
}

/**
 * Deletes the data of deleted Runs, and what is older than the retention setting keeps, until disposed of: in steps with pauses as long as they are, and much longer ones while a Run is
 * measured. What a start leaves undone the next one does.
 */
export function clearRuns({ pool, traces, pictures, log }: ClearOptions): RunClearing {
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const isOver = () => signal.aborted;
  let woken = Promise.withResolvers<void>();
  let lastDueMs = -Infinity;

  const rest = (ms: number) => wait(ms, undefined, { signal }).catch(() => undefined);

  const removeFiles = async ({ hasTraces, hasPictures }: ClearingStep) => {
    try {
      if (hasTraces) await traces.removeUnclaimed(signal);
      if (hasPictures) await pictures.removeUnnamed(signal);
    } catch (error) {
      if (!isStoreAway(error)) throw error; // the next sweep removes them
    }
  };

  const clearAll = async () => {
    let place: ClearingPlace | null = null;
    while (!isOver()) {
      const startedMs = performance.now();
      const step = await clearSome(pool, place);
      if (step === null) break;
      await removeFiles(step);
      place = step.next;
      const tookMs = performance.now() - startedMs;
      await rest(step.isMeasuring ? Math.max(quiet.leastMs, quiet.times * tookMs) : tookMs);
    }
    if (!isOver()) await removeErasedEvaluations(pool);
  };

  const work = async () => {
    while (!isOver()) {
      try {
        if (performance.now() - lastDueMs >= lookForDueEveryMs) {
          lastDueMs = performance.now();
          await markDueRuns(pool, { isOver, log });
        }
        await clearAll();
      } catch (error) {
        if (!isOver()) log.warn({ err: error }, 'Cannot delete old data now; trying again in 5 s');
      }
      await Promise.race([rest(lookEveryMs), woken.promise]);
      woken = Promise.withResolvers();
    }
  };
  const done = work();
  return {
    wake: () => {
      lastDueMs = -Infinity;
      woken.resolve();
    },
    async [Symbol.asyncDispose]() {
      lifetime.abort();
      await done;
    },
  };
}

/** Lets each Run lose what is older than the retention setting keeps, and records that. */
async function markDueRuns(pool: Pool, { isOver, log }: { isOver: () => boolean; log: Logger }): Promise<void> {
  for (;;) {
    const due = await findDueRuns(pool, dueAtOnce);
    for (const run of due) {
      if (isOver()) return;
      const { id, name, losesVisits } = run;
      // Means and reductions are read from these sums from now on.
      if (losesVisits) await rollUpRun(pool, id);
      if (!(await markDueRun(pool, run))) continue;
      await storeAuditEntry(pool, {
        actor,
        action: losesVisits ? 'visits-deleted' : 'snapshots-deleted',
        subject: `Run ${id} of "${name}"`,
        details: { run: id },
      });
      log.info(
        { run: id },
        `The ${losesVisits ? 'Visits' : 'Snapshots'} of a Run are older than is kept: they are being deleted`,
      );
    }
    if (due.length < dueAtOnce) return;
  }
}
