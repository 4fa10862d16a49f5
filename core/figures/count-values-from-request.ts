import { catalogue, latencyIds, type MetricId } from '../metrics/catalogue.ts';
import { countFromRequest } from '../metrics/latency-origin.ts';
import type { MeasureId } from '../metrics/measures.ts';
import { countPhaseFromRequest, isCountedFromRequest, neededForPhases } from '../metrics/phases-from-request.ts';
import type { MeasuredVisit } from './measure-run.ts';

/** The measures to read so that latencies can be counted from the first request: with its time, and the phases before it, at the end. */
export function withRequestStart(measures: readonly MeasureId[]): MeasureId[] {
  return [...measures, ...neededForPhases];
}

/** The Visits with values of `measures`, latencies counted from the first request. They were read as `withRequestStart` says. */
export function countValuesFromRequest(
  visits: readonly MeasuredVisit[],
  measures: readonly MeasureId[],
): MeasuredVisit[] {
  const isLatency = measures.map((measure) => latencyIds.some((id) => id === measure));
  const asMeasurement = (value: number | null) => (value === null ? { reason: 'unsupported' as const } : { value });
  return visits.map((visit) => {
    const start = asMeasurement(visit.values[measures.length] ?? null);
    const read = (metric: MeasureId) => visit.values[[...measures, ...neededForPhases].lastIndexOf(metric)] ?? null;
    const values = measures.map((measure, index) => {
      const value = visit.values[index] ?? null;
      if (measure in catalogue && isCountedFromRequest(measure as MetricId))
        return countPhaseFromRequest(measure as MetricId, read);
      if (!isLatency[index]) return value;
      const counted = countFromRequest(asMeasurement(value), start);
      return 'value' in counted ? counted.value : null;
    });
    return { ...visit, values };
  });
}
