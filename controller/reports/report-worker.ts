import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import { AppError, type ErrorCode } from '#core/app-error.ts';
import { listCells, pageCells } from '#core/comparison/cells/describe-cells.ts';
import type { Comparison, Cell } from '#core/comparison/comparison.ts';
import { summariseOutcome } from '#core/comparison/outcome/summarise-outcome.ts';
import { summariseTrend } from '#core/comparison/outcome/summarise-trend.ts';
import { judgeThreshold } from '#core/trend/judge-threshold.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import type { UserCellSearch, UserCellPage, ComparedCells } from '#core/protocol/api/user-cells.ts';
import { isTransient } from '../database/is-transient.ts';
import { listEngineVersions, listMetricsVersions } from '../runs/run-facts.ts';
import { readDigestedState, storeDigest } from '../runs/run-digests.ts';
import { storeThresholdSide } from '../runs/threshold-sides.ts';
import { compareRun } from './compare-run.ts';
import type { Queryable } from '../database/queryable.ts';
import { needVisits } from '../visits/kept-visits.ts';
import { readRecordOfUser } from '../runs/read-run-record.ts';
import type { LatencyId } from '#core/metrics/index.ts';
import { designComparison, judgeVisits, type ComparedRecord } from '#core/comparison/design-comparison.ts';
import { gatherCells } from '#core/comparison/cells/gather-cells.ts';

const urlsPerPage = 200;

/** What a report thread is asked for of a Run: its Comparison, or cells of one User Agent. */
export type AskedReport = { runId: string; from: LatencyOrigin } & (
  | { kind: 'comparison'; cells: ComparedCells }
  | { kind: 'user-cells'; search: UserCellSearch }
);

export type ReportOrder = AskedReport & { id: number };

export type ReportAnswer =
  | { id: number; kind: 'done'; json: Uint8Array<ArrayBuffer> }
  | { id: number; kind: 'failed'; code: ErrorCode; message: string };

const { databaseUrl } = workerData as { databaseUrl: string };
const port = parentPort!;

/** Everything in one snapshot of the database, so that the parts of a report belong together while its Run is under way. */
async function computeReport(asked: AskedReport): Promise<Uint8Array<ArrayBuffer>> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'http-ae report' });
  client.on('error', () => undefined); // the statement under way reports it
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const report =
      asked.kind === 'comparison'
        ? await computeAndDigest(client, asked)
        : await listUserCells(client, asked.runId, { ...asked.search, from: asked.from });
    return new TextEncoder().encode(JSON.stringify(report));
  } finally {
    await client.end();
  }
}

/** That of an ended Run leaves its outcome for lists, and its part of the trend. Ends the transaction. */
async function computeAndDigest(
  client: pg.Client,
  { runId, from, cells }: Extract<AskedReport, { kind: 'comparison' }>,
): Promise<Comparison> {
  const comparison = await compareRun(client, runId, { from, cells });
  const state = from === 'navigation-start' ? await readDigestedState(client, runId) : null;
  const engines = state ? await listEngineVersions(client, runId) : [];
  const metricsVersions = state ? await listMetricsVersions(client, runId) : [];
  await client.query('commit');
  if (state) {
    const outcome = summariseOutcome(comparison);
    const trend = summariseTrend(comparison, {
      engineVersions: engines.map(({ version }) => version),
      metricsVersions,
    });
    await storeDigest(client, state, { outcome, trend });
    if (state.threshold !== null) await storeThresholdSide(client, runId, judgeThreshold(trend, state.threshold));
  }
  return comparison;
}

async function answer({ id, ...asked }: ReportOrder): Promise<void> {
  try {
    const json = await computeReport(asked);
    port.postMessage({ id, kind: 'done', json } satisfies ReportAnswer, [json.buffer]);
  } catch (error) {
    const code = error instanceof AppError ? error.code : isTransient(error) ? 'database-unreachable' : 'internal';
    const { message, stack } = error as Error;
    port.postMessage({
      id,
      kind: 'failed',
      code,
      message: code === 'internal' ? (stack ?? message) : message,
    } satisfies ReportAnswer);
  }
}

let last = Promise.resolve();
// One after the other: two large Runs at once would need the memory of both.
port.on('message', (order: ReportOrder) => {
  last = last.then(() => answer(order));
});

/** The cells of one User Agent, some URLs at a time. Throws AppError 'not-found', 'visits-deleted'. */
async function listUserCells(
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

/** The cells of one User Agent, as the Comparison has them where it has all. Of its Visits, the record needs only those of this one. */
function computeUserCells(
  record: ComparedRecord,
  { userAgent, metric, from }: { userAgent: string; metric: LatencyId; from: LatencyOrigin },
): Cell[] {
  const visits = judgeVisits(record, from).filter((visit) => visit.userAgent === userAgent);
  const { cells } = gatherCells(visits, ({ latencies }) => latencies[metric]);
  return listCells(cells, { ...designComparison(record), metric, userAgent, hasEcdf: true });
}
