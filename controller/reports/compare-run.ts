import { AppError } from '#core/app-error.ts';
import { computeComparison, mostUserCells } from '#core/comparison/compute-comparison.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import type { ComparedCells } from '#core/protocol/api/user-cells.ts';
import type { Queryable } from '../database/queryable.ts';
import { needVisits } from '../visits/kept-visits.ts';
import { readRunRecord } from '../runs/read-run-record.ts';

/** The Evaluation Comparison of a Run, as far as it has come. Throws AppError 'not-found', 'visits-deleted'. */
export async function compareRun(
  db: Queryable,
  runId: string,
  { from = 'navigation-start', cells = 'all' }: { from?: LatencyOrigin; cells?: ComparedCells } = {},
): Promise<Comparison> {
  await needVisits(db, runId);
  const record = await readRunRecord(db, runId, { needsRequestStart: from === 'first-request' });
  if (!record) throw new AppError('not-found', `There is no Run ${runId}`);
  return computeComparison(record, from, cells === 'pooled' ? 0 : mostUserCells);
}
