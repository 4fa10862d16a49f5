import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { storeAuditEntry } from '../db/access/audit.ts';
import { findDueRuns, markDueRun } from '../db/kept-days.ts';
import { rollUpRun } from '../db/rounds/roll-up-run.ts';

const dueAtOnce = 20;
/** Who deletes, in the audit log. */
const actor = 'retention setting';

/** Lets each Run lose what is older than the retention setting keeps, and records that. */
export async function markDueRuns(pool: Pool, { isOver, log }: { isOver: () => boolean; log: Logger }): Promise<void> {
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
