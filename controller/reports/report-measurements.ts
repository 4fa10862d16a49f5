import { AppError } from '#core/app-error.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { leaveOutMeasurements, measureRun, type MeasuredVisit } from '#controller/reports/measure-run.ts';
import { mostMeasurements, type Measurements } from '#core/record/measurements.ts';
import type { MeasureId } from '#core/metrics/measures.ts';
import type { Queryable } from '../database/queryable.ts';
import { whileKept } from '../visits/kept-visits.ts';
import {
  countMeasuredVisits,
  findMeasures,
  mayHaveMoreVisits,
  readMeasuredVisits,
} from '../visits/read-measured-visits.ts';
import { readLooks } from '../runs/run-facts.ts';
import { readRun } from '../runs/stored-runs.ts';
import { latencyIds } from '#core/metrics/index.ts';
import {
  countFromRequest,
  countPhaseFromRequest,
  isPhaseFromRequest,
  neededForPhases,
  type LatencyOrigin,
} from '#core/metrics/latency-origin.ts';

interface AskedMeasurements {
  runId: string;
  /** Null asks for all that the Run has. */
  measures: readonly MeasureId[] | null;
  from?: LatencyOrigin;
}

/** Values of the Visits of a Run. Of a Run with too many, the answer says so. Throws AppError 'not-found', 'visits-deleted'. */
export function reportMeasurements(db: Queryable, asked: AskedMeasurements): Promise<Measurements> {
  return whileKept(db, asked.runId, () => readMeasurements(db, asked));
}

async function readMeasurements(
  db: Queryable,
  { runId, measures: asked, from = 'navigation-start' }: AskedMeasurements,
): Promise<Measurements> {
  const run = await readRun(db, runId);
  if (!run) throw new AppError('not-found', `There is no Run ${runId}`);
  const evaluation = EvaluationSchema.parse(run.document);
  const available = await findMeasures(db, runId);
  const looks = await readLooks(db, runId);
  const measures = asked ?? available;
  if (await mayHaveMoreVisits(db, runId, mostMeasurements / measures.length)) {
    const visits = await countMeasuredVisits(db, runId);
    if (visits * measures.length > mostMeasurements)
      return leaveOutMeasurements(evaluation, { measures, available, looks, visits });
  }
  if (from === 'navigation-start')
    return measureRun(evaluation, await readMeasuredVisits(db, runId, measures), { measures, available, looks });
  const read = await readMeasuredVisits(db, runId, withRequestStart(measures));
  return {
    ...measureRun(evaluation, countValuesFromRequest(read, measures), { measures, available, looks }),
    countedFrom: from,
  };
}

/** The measures to read so that latencies can be counted from the first request: with its time, and the phases before it, at the end. */
function withRequestStart(measures: readonly MeasureId[]): MeasureId[] {
  return [...measures, ...neededForPhases];
}

/** The Visits with values of `measures`, latencies counted from the first request. They were read as `withRequestStart` says. */
function countValuesFromRequest(visits: readonly MeasuredVisit[], measures: readonly MeasureId[]): MeasuredVisit[] {
  const isLatency = measures.map((measure) => latencyIds.some((id) => id === measure));
  const asMeasurement = (value: number | null) => (value === null ? { reason: 'unsupported' as const } : { value });
  return visits.map((visit) => {
    const start = asMeasurement(visit.values[measures.length] ?? null);
    const read = (metric: MeasureId) => visit.values[[...measures, ...neededForPhases].lastIndexOf(metric)] ?? null;
    const values = measures.map((measure, index) => {
      const value = visit.values[index] ?? null;
      if (isPhaseFromRequest(measure)) return countPhaseFromRequest(measure, read);
      if (!isLatency[index]) return value;
      const counted = countFromRequest(asMeasurement(value), start);
      return 'value' in counted ? counted.value : null;
    });
    return { ...visit, values };
  });
}
