import { AppError } from '#core/app-error.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { compareWire } from '#core/comparison/network/compare-wire.ts';
import type { WireComparison } from '#core/comparison/network/wire-comparison.ts';
import { intervalConfidence } from '#core/stop-rule/interval-confidence.ts';
import type { Queryable } from '../db/connection/queryable.ts';
import { needVisits } from '../db/visits/kept-visits.ts';
import { readLooks } from '../db/runs/read-looks.ts';
import { readRoundWire } from '../db/rounds/round-wire.ts';
import { readRun } from '../db/runs/runs.ts';

/** Throws AppError 'not-found', 'visits-deleted'. */
export async function compareWireOfRun(db: Queryable, runId: string): Promise<WireComparison> {
  await needVisits(db, runId);
  const run = await readRun(db, runId);
  if (!run) throw new AppError('not-found', `There is no Run ${runId}`);
  const { scenarios, repetition, comparison } = EvaluationSchema.parse(run.document);
  return compareWire(await readRoundWire(db, runId), {
    scenarios: scenarios.map(({ name }) => name),
    confidence: intervalConfidence(repetition, comparison.confidence, await readLooks(db, runId)),
  });
}
