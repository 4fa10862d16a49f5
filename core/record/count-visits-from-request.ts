import { latencyIds } from '../metrics/catalogue.ts';
import { countFromRequest } from '../metrics/latency-origin.ts';
import type { RecordedVisit } from './run-record.ts';

/** The Visits with their latencies counted from their first request. */
export function countVisitsFromRequest(visits: readonly RecordedVisit[]): RecordedVisit[] {
  return visits.map((visit) => {
    if (visit.isFailed) return visit;
    const { requestStart = { reason: 'unsupported' } } = visit;
    const counted = latencyIds.map((metric) => {
      const value = visit.latencies[metric];
      const reason = visit.absences?.[metric] ?? 'unsupported';
      return [metric, countFromRequest(value === null ? { reason } : { value }, requestStart)] as const;
    });
    const absences = counted.flatMap(([metric, each]) => ('reason' in each ? [[metric, each.reason] as const] : []));
    return {
      ...visit,
      latencies: Object.fromEntries(
        counted.map(([metric, each]) => [metric, 'value' in each ? each.value : null]),
      ) as RecordedVisit['latencies'],
      absences: absences.length === 0 ? null : Object.fromEntries(absences),
    };
  });
}
