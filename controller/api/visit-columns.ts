import { metricIds, type MetricId } from '#core/metrics/catalogue.ts';
import type { ExportedVisit } from '../db/visit-export.ts';
import type { CsvValue } from './format-csv-row.ts';

interface Column {
  name: string;
  valueOf: (visit: ExportedVisit) => CsvValue;
}

const firstMetrics: MetricId[] = ['requestStartMs', 'baseMs', 'viewportMs', 'totalMs', 'loadEventMs'];
const otherMetrics = metricIds.filter((metric) => !firstMetrics.includes(metric));

/** The columns of an exported Visit. Their order and names are agreed: evaluators' scripts read them. */
export const visitColumns: Column[] = [
  { name: 'run', valueOf: (visit) => Number(visit.runId) },
  { name: 'block', valueOf: (visit) => visit.block },
  { name: 'scenario', valueOf: (visit) => visit.scenario },
  { name: 'user_agent', valueOf: (visit) => visit.userAgent },
  { name: 'url', valueOf: (visit) => visit.url },
  { name: 'repetition', valueOf: (visit) => visit.repetition },
  { name: 'status', valueOf: (visit) => visit.status },
  { name: 'code', valueOf: (visit) => visit.code },
  ...firstMetrics.map(toColumn),
  ...otherMetrics.map(toColumn),
  { name: 'warm_up', valueOf: (visit) => visit.warmUp },
  { name: 'round_state', valueOf: (visit) => visit.roundState },
  { name: 'attempt', valueOf: (visit) => visit.attempt },
  { name: 'settled', valueOf: (visit) => visit.isSettled },
  { name: 'hidden', valueOf: (visit) => visit.isHidden },
  { name: 'started_at', valueOf: (visit) => visit.startedAt },
  { name: 'wire_packets', valueOf: ({ wire }) => wire?.packets ?? null },
  { name: 'wire_bytes', valueOf: ({ wire }) => wire?.bytes ?? null },
  { name: 'wire_connections', valueOf: ({ wire }) => wire?.openedConnections ?? null },
  { name: 'wire_unused_connections', valueOf: ({ wire }) => wire?.unusedConnections ?? null },
  { name: 'agent', valueOf: (visit) => visit.agent },
  { name: 'visit_id', valueOf: (visit) => visit.visitId },
  { name: 'excluded', valueOf: (visit) => visit.exclusionReason !== null },
  { name: 'exclusion_reason', valueOf: (visit) => visit.exclusionReason },
];

/** `requestStartMs` → `request_start_ms`; a metric that is absent has no value. */
function toColumn(metric: MetricId): Column {
  return {
    name: metric.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    valueOf: (visit) => visit.readings[metric] ?? null,
  };
}
