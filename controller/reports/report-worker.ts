import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import { AppError, type ErrorCode } from '#core/app-error.ts';
import { summariseOutcome } from '#core/comparison/summarise-outcome.ts';
import { summariseTrend } from '#core/comparison/summarise-trend.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import { isTransient } from '../db/connection/is-transient.ts';
import { listEngineVersions } from '../db/engine-versions.ts';
import { readDigestedState, storeDigest } from '../db/run-digests.ts';
import { compareRun } from './compare-run.ts';

export interface ReportOrder {
  id: number;
  runId: string;
  from: LatencyOrigin;
}

export type ReportAnswer =
  | { id: number; kind: 'done'; json: Uint8Array<ArrayBuffer> }
  | { id: number; kind: 'failed'; code: ErrorCode; message: string };

const { databaseUrl } = workerData as { databaseUrl: string };
const port = parentPort!;

/** Everything in one snapshot of the database, so that the parts of a report belong together while its Run is under way. That of an ended Run leaves its outcome for lists, and its part of the trend. */
async function computeReport(runId: string, from: LatencyOrigin): Promise<Uint8Array<ArrayBuffer>> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'http-ae report' });
  client.on('error', () => undefined); // the statement under way reports it
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const comparison = await compareRun(client, runId, from);
    const state = from === 'navigation-start' ? await readDigestedState(client, runId) : null;
    const engines = state ? await listEngineVersions(client, runId) : [];
    await client.query('commit');
    if (state) {
      const outcome = summariseOutcome(comparison);
      const trend = summariseTrend(
        comparison,
        engines.map(({ version }) => version),
      );
      await storeDigest(client, state, { outcome, trend });
    }
    return new TextEncoder().encode(JSON.stringify(comparison));
  } finally {
    await client.end();
  }
}

async function answer({ id, runId, from }: ReportOrder): Promise<void> {
  try {
    const json = await computeReport(runId, from);
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
