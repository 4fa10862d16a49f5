import { AppError } from '#core/app-error.ts';
import type { Queryable } from '../database/queryable.ts';

/** Throws `visits-deleted` when the retention setting deleted the Visits of a Run, and `not-found`. */
export async function needVisits(db: Queryable, runId: string): Promise<void> {
  const { rows } = await db.query<{ visits_deleted_at: Date | null }>(
    'select visits_deleted_at from run where id = $1 and deleted_at is null',
    [runId],
  );
  if (!rows[0]) throw new AppError('not-found', `There is no Run ${runId}`);
  const { visits_deleted_at: deletedAt } = rows[0];
  if (deletedAt === null) return;
  throw new AppError(
    'visits-deleted',
    `The Visits of Run ${runId} were deleted on ${deletedAt.toISOString().slice(0, 10)} by the retention setting. Its outcome, means and reductions are kept`,
  );
}

/** What `read` reads of the Visits of a Run, if no deletion of them began before it had ended. Throws as `needVisits`. */
export async function whileKept<T>(db: Queryable, runId: string, read: () => Promise<T>): Promise<T> {
  await needVisits(db, runId);
  const result = await read();
  await needVisits(db, runId);
  return result;
}
