import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { createEvaluation } from '#controller/evaluations/evaluations.ts';
import { orderCaptures } from '#controller/coordinator/round-captures.ts';
import { completeRound, createRound } from '#controller/runs/rounds.ts';
import { createRun, type OwnedRun } from '#controller/runs/stored-runs.ts';
import { inTransaction } from '#controller/database/transaction.ts';
import { storeVisits } from '#controller/visits/store-visits.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { expandEvaluation, urlsOf } from '#core/evaluation/rounds/expand-evaluation.ts';
import { deriveReadings, type Reading } from '#core/metrics/index.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import type { Filmstrip } from '#core/protocol/filmstrip.ts';
import type { Visit } from '#core/protocol/visit.ts';
import { makeEvaluation } from './sample-evaluation.ts';
import { makeSnapshot } from './make-snapshot.ts';
import { unknownSkew } from './sample-run.ts';

interface PlannedVisit {
  block: number;
  scenario: string;
  userAgent: string;
  url: string;
}

interface StoredRunOptions {
  evaluation?: Evaluation;
  failingUrl?: string;
  /** Blocks beyond this one were not measured. */
  lastBlock?: number;
  /** Total latency of a Visit; null when it timed out. */
  totalMsOf?: (visit: PlannedVisit) => number | null;
  /** What was seen of the page of a Visit that has a total latency; by default one document and nothing else. */
  snapshotOf?: (page: { url: string; totalMs: number }) => Snapshot;
  /** By default none. */
  filmstripOf?: (snapshot: Snapshot) => Filmstrip;
}

/**
 * Stores a completed Run in which every Visit was made: those of `failingUrl` timed out, the others have by default a total latency of 1000 ms. The coordinator of a Controller on the same database never sees it open.
 */
export async function storeCompletedRun(
  pool: Pool,
  {
    evaluation = makeEvaluation(),
    failingUrl,
    lastBlock = Infinity,
    totalMsOf = ({ url }) => (url === failingUrl ? null : 1000),
    snapshotOf = makeSnapshot,
    filmstripOf,
  }: StoredRunOptions = {},
): Promise<{ evaluationId: string; runId: string; visits: Visit[] }> {
  return inTransaction(pool, async (client) => {
    const { id: evaluationId } = await createEvaluation(client, evaluation);
    const planned = expandEvaluation(evaluation, 7);
    const runId = await createRun(client, { evaluationId, evaluation, seed: 7, roundsPlanned: planned.length });
    const run: OwnedRun = { id: runId, epoch: 0, seed: 7, state: 'running', evaluation };

    const visits: Visit[] = [];
    for (const round of planned.filter(({ block }) => block <= lastBlock)) {
      const passes = evaluation.userAgents.map((userAgent) => {
        const urls = urlsOf(evaluation, userAgent.urlList);
        return {
          id: randomUUID(),
          userAgent: userAgent.name,
          agent: userAgent.host,
          visitsExpected: urls.length,
          engineVersion: 'Chrome/140.0.7339.80',
          urls,
        };
      });
      const roundId = randomUUID();
      const capturePoints = orderCaptures(evaluation, { id: roundId, endAfterMs: 1 }).map(
        ({ order: { captureId: id, capturePoint: name, ...point }, agent }) => ({ ...point, id, name, agent }),
      );
      await createRound(client, run, { id: roundId, planned: round, passes, capturePoints });
      const made = passes
        .flatMap((pass) =>
          pass.urls.map(({ url }, sequence) =>
            makeVisit({
              passId: pass.id,
              sequence,
              url,
              totalMs: totalMsOf({ ...round, userAgent: pass.userAgent, url }),
              snapshotOf,
            }),
          ),
        )
        .map((visit) => ({
          ...visit,
          ...(filmstripOf && visit.outcome.snapshot && { filmstrip: filmstripOf(visit.outcome.snapshot) }),
        }));
      await storeVisits(
        client,
        made.map((visit) => ({ visit, readings: readingsOf(visit) })),
      );
      await completeRound(client, run, {
        id: roundId,
        ...unknownSkew,
        startSkewMs: 1.5,
        startSkewErrorMs: 0.25,
      });
      visits.push(...made);
    }
    await client.query(`update run set state = 'completed', started_at = now(), ended_at = now() where id = $1`, [
      runId,
    ]);
    return { evaluationId, runId, visits };
  });
}

function makeVisit({
  totalMs,
  snapshotOf,
  ...visit
}: {
  passId: string;
  sequence: number;
  url: string;
  totalMs: number | null;
  snapshotOf: (page: { url: string; totalMs: number }) => Snapshot;
}): Visit {
  return {
    ...visit,
    id: randomUUID(),
    repetition: 1,
    startedEpochMs: 1_800_000_000_000 + visit.sequence * 1000,
    clockOffsetMs: 0.25,
    clockErrorMs: 0.5,
    outcome:
      totalMs === null
        ? { status: 'failed', code: 'timeout', detail: 'Navigation timeout of 30000 ms exceeded', snapshot: null }
        : { status: 'ok', snapshot: snapshotOf({ url: visit.url, totalMs }) },
  };
}

function readingsOf({ outcome, filmstrip }: Visit): Reading[] {
  return outcome.snapshot ? deriveReadings(outcome.snapshot, filmstrip) : [];
}
