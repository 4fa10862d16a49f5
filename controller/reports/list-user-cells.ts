import { AppError } from '#core/app-error.ts';
import { computeUserCells } from '#core/comparison/cells/compute-user-cells.ts';
import { pageCells } from '#core/comparison/cells/page-cells.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import type { UserCellPage, UserCellSearch } from '#core/protocol/api/user-cells.ts';
import type { Queryable } from '../db/connection/queryable.ts';
import { needVisits } from '../db/visits/kept-visits.ts';
import { readRecordOfUser } from '../db/runs/read-run-record.ts';

const urlsPerPage = 200;

/** The cells of one User Agent, some URLs at a time. Throws AppError 'not-found', 'visits-deleted'. */
export async function listUserCells(
  db: Queryable,
  runId: string,
  { userAgent, metric, from, ...search }: UserCellSearch & { from: LatencyOrigin },
): Promise<UserCellPage> {
  await needVisits(db, runId);
  const record = await readRecordOfUser(db, runId, { userAgent, needsRequestStart: from === 'first-request' });
  if (!record?.evaluation.userAgents.some(({ name }) => name === userAgent))
    throw new AppError('not-found', `Run ${runId} has no User Agent "${userAgent}"`);
  return pageCells(computeUserCells(record, { userAgent, metric, from }), { ...search, limit: urlsPerPage });
}
