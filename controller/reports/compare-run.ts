import { AppError } from '#core/app-error.ts';
import { computeComparison } from '#core/comparison/compute-comparison.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import type { Queryable } from '../db/connection/queryable.ts';
import { readRunRecord } from '../db/read-run-record.ts';

/** The Evaluation Comparison of a Run, as far as it has come. Throws AppError 'not-found'. */
export async function compareRun(db: Queryable, runId: string): Promise<Comparison> {
  const record = await readRunRecord(db, runId);
  if (!record) throw new AppError('not-found', `There is no Run ${runId}`);
  return computeComparison(record);
}
