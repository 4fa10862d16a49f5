import { AppError } from '#core/app-error.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { countValuesFromRequest, withRequestStart } from '#core/figures/count-values-from-request.ts';
import { leaveOutMeasurements, measureRun } from '#core/figures/measure-run.ts';
import { mostMeasurements, type Measurements } from '#core/figures/measurements.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import type { MeasureId } from '#core/metrics/measures.ts';
import type { Queryable } from '../db/connection/queryable.ts';
import { needVisits } from '../db/visits/kept-visits.ts';
import { countMeasuredVisits, findMeasures, readMeasuredVisits } from '../db/visits/read-measured-visits.ts';
import { readLooks } from '../db/runs/read-looks.ts';
import { readRun } from '../db/runs/runs.ts';

/** Values of the Visits of a Run; null asks for all measures that it has. Of a Run with too many, the answer says so. Throws AppError 'not-found', 'visits-deleted'. */
export async function reportMeasurements(
  db: Queryable,
  {
    runId,
    measures: asked,
    from = 'navigation-start',
  }: { runId: string; measures: readonly MeasureId[] | null; from?: LatencyOrigin },
): Promise<Measurements> {
  await needVisits(db, runId);
  const run = await readRun(db, runId);
  if (!run) throw new AppError('not-found', `There is no Run ${runId}`);
  const evaluation = EvaluationSchema.parse(run.document);
  const available = await findMeasures(db, runId);
  const looks = await readLooks(db, runId);
  const measures = asked ?? available;
  const visits = await countMeasuredVisits(db, runId);
  if (visits * measures.length > mostMeasurements)
    return leaveOutMeasurements(evaluation, { measures, available, looks, visits });
  if (from === 'navigation-start')
    return measureRun(evaluation, await readMeasuredVisits(db, runId, measures), { measures, available, looks });
  const read = await readMeasuredVisits(db, runId, withRequestStart(measures));
  return {
    ...measureRun(evaluation, countValuesFromRequest(read, measures), { measures, available, looks }),
    countedFrom: from,
  };
}
