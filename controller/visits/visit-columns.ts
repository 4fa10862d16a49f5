import { causeIds, causes, unpackParts, type CauseId } from '#core/causes/causes.ts';
import { catalogue, latencyIds, metricIds, type LatencyId, type MetricId } from '#core/metrics/index.ts';
import {
  countFromRequest,
  countPhaseFromRequest,
  isCountedFromRequest,
  isPhaseFromRequest,
  type LatencyOrigin,
} from '#core/metrics/latency-origin.ts';
import type { Measurement } from '#core/metrics/metric-definition.ts';
import { loadFigureIds, type LoadFigureId } from '#core/protocol/host-load.ts';
import type { ExportedVisit } from './export-visits.ts';
import type { CsvValue, TypedColumn } from '#core/export/format-csv-row.ts';

interface Column extends TypedColumn {
  /** Whose values it has. */
  metric?: MetricId;
  valueOf: (visit: ExportedVisit, from: LatencyOrigin) => CsvValue;
}

/** The metrics that exports have had for so long, in the order in which they were added. */
function metricsSince(from: number, to: number): MetricId[] {
  const ids = metricIds.filter((id) => from <= catalogue[id].since && catalogue[id].since <= to);
  return ids.toSorted((a, b) => catalogue[a].since - catalogue[b].since);
}

/** The columns of an exported Visit. Their order and names are agreed: evaluators' scripts read them. */
export const visitColumns: Column[] = [
  { name: 'run', type: 'integer', valueOf: (visit) => Number(visit.runId) },
  { name: 'block', type: 'integer', valueOf: (visit) => visit.block },
  { name: 'scenario', type: 'text', valueOf: (visit) => visit.scenario },
  { name: 'user_agent', type: 'text', valueOf: (visit) => visit.userAgent },
  { name: 'url', type: 'text', valueOf: (visit) => visit.url },
  { name: 'repetition', type: 'integer', valueOf: (visit) => visit.repetition },
  { name: 'status', type: 'text', valueOf: (visit) => visit.status },
  { name: 'code', type: 'text', valueOf: (visit) => visit.code },
  ...metricsSince(0, 0).map(toColumn),
  { name: 'warm_up', type: 'boolean', valueOf: (visit) => visit.warmUp },
  { name: 'round_state', type: 'text', valueOf: (visit) => visit.roundState },
  { name: 'attempt', type: 'integer', valueOf: (visit) => visit.attempt },
  { name: 'settled', type: 'boolean', valueOf: (visit) => visit.isSettled },
  { name: 'hidden', type: 'boolean', valueOf: (visit) => visit.isHidden },
  { name: 'started_at', type: 'time', valueOf: (visit) => visit.startedAt },
  { name: 'wire_packets', type: 'integer', unit: 'count', valueOf: ({ wire }) => wire?.packets ?? null },
  { name: 'wire_bytes', type: 'integer', unit: 'bytes', valueOf: ({ wire }) => wire?.bytes ?? null },
  { name: 'wire_connections', type: 'integer', unit: 'count', valueOf: ({ wire }) => wire?.openedConnections ?? null },
  {
    name: 'wire_unused_connections',
    type: 'integer',
    unit: 'count',
    valueOf: ({ wire }) => wire?.unusedConnections ?? null,
  },
  { name: 'clock_error_ms', type: 'number', unit: 'ms', valueOf: (visit) => visit.clockErrorMs },
  { name: 'start_skew_ms', type: 'number', unit: 'ms', valueOf: ({ startSkew }) => startSkew.startSkewMs },
  { name: 'start_skew_error_ms', type: 'number', unit: 'ms', valueOf: ({ startSkew }) => startSkew.startSkewErrorMs },
  { name: 'first_packet_skew_ms', type: 'number', unit: 'ms', valueOf: ({ startSkew }) => startSkew.firstPacketSkewMs },
  {
    name: 'first_packet_skew_error_ms',
    type: 'number',
    unit: 'ms',
    valueOf: ({ startSkew }) => startSkew.firstPacketSkewErrorMs,
  },
  {
    name: 'host_cpu_count',
    type: 'integer',
    unit: 'count',
    valueOf: ({ hostLoad }) => (hostLoad?.kind === 'measured' ? hostLoad.cpuCount : null),
  },
  ...loadFigureIds.map(toLoadColumn),
  { name: 'agent', type: 'text', valueOf: (visit) => visit.agent },
  { name: 'visit_id', type: 'text', valueOf: (visit) => visit.visitId },
  { name: 'excluded', type: 'boolean', valueOf: (visit) => visit.exclusionReason !== null },
  { name: 'exclusion_reason', type: 'text', valueOf: (visit) => visit.exclusionReason },
  { name: 'address', type: 'text', valueOf: (visit) => visit.address },
  { name: 'wire_sent_bytes', type: 'integer', unit: 'bytes', valueOf: ({ wire }) => wire?.sentBytes ?? null },
  { name: 'wire_received_bytes', type: 'integer', unit: 'bytes', valueOf: ({ wire }) => wire?.receivedBytes ?? null },
  { name: 'wire_signalling', type: 'integer', unit: 'count', valueOf: ({ wire }) => wire?.signallingPackets ?? null },
  { name: 'latencies_from', type: 'text', valueOf: (_, from) => from },
  ...metricsSince(1, 8).map(toColumn),
  {
    name: 'first_request_skew_ms',
    type: 'number',
    unit: 'ms',
    valueOf: ({ startSkew }) => startSkew.firstRequestSkewMs,
  },
  {
    name: 'first_request_skew_error_ms',
    type: 'number',
    unit: 'ms',
    valueOf: ({ startSkew }) => startSkew.firstRequestSkewErrorMs,
  },
  { name: 'request_delay_ms', type: 'number', unit: 'ms', valueOf: (visit) => visit.requestDelayMs },
  { name: 'host_delay_ms', type: 'number', unit: 'ms', valueOf: (visit) => visit.hostDelayMs },
  ...latencyIds.flatMap((latency) => causeIds.map((cause) => toCauseColumn(latency, cause))),
  ...metricsSince(9, Infinity).map(toColumn),
  { name: 'page_skew_ms', type: 'number', unit: 'ms', valueOf: ({ startSkew }) => startSkew.pageSkewMs },
  { name: 'page_skew_error_ms', type: 'number', unit: 'ms', valueOf: ({ startSkew }) => startSkew.pageSkewErrorMs },
];

/** A metric that is absent has no value. */
function toColumn(metric: MetricId): Column {
  const isLatency = latencyIds.some((id) => id === metric);
  return {
    name: toSnakeCase(metric),
    metric,
    type: 'number',
    unit: catalogue[metric].unit,
    definition: catalogue[metric].definition,
    valueOf: ({ readings }, from) => {
      const value = readings[metric] ?? null;
      if (from === 'navigation-start' || value === null) return value;
      if (isPhaseFromRequest(metric)) return countPhaseFromRequest(metric, (id) => readings[id] ?? null);
      if (!isLatency) return value;
      const start = readings.requestStartMs;
      const counted = countFromRequest({ value }, start === undefined ? { reason: 'unsupported' } : { value: start });
      return 'value' in counted ? counted.value : null;
    },
  };
}

/** Why metrics have no value. From the first request, some have none although they have one from navigation start. */
export function listAbsences({ readings, absences }: ExportedVisit, from: LatencyOrigin): ExportedVisit['absences'] {
  if (from === 'navigation-start') return absences;
  const { requestStartMs: start } = readings;
  const origin: Measurement =
    start === undefined ? { reason: absences.requestStartMs ?? 'unsupported' } : { value: start };
  const counted = metricIds.filter((metric) => isCountedFromRequest(metric) && readings[metric] !== undefined);
  const absent = counted.flatMap((metric) => {
    const value = readings[metric]!;
    const left = isPhaseFromRequest(metric) ? origin : countFromRequest({ value }, origin);
    return 'reason' in left ? [[metric, left.reason] as const] : [];
  });
  return { ...absences, ...Object.fromEntries(absent) };
}

/** `totalMs` and `connect` → `total_cause_connect_ms`. Always counted from navigation start. */
function toCauseColumn(latency: LatencyId, cause: CauseId): Column {
  const place = causeIds.indexOf(cause);
  return {
    name: `${latency.replace(/Ms$/, '')}_cause_${toSnakeCase(cause)}_ms`,
    type: 'number',
    unit: 'ms',
    definition: `Part of \`${latency}\`: ${causes[cause].definition}`,
    valueOf: (visit) => unpackParts(visit.causes, latency)?.[place] ?? null,
  };
}

/** `busyRatio` → `host_busy_ratio`; a figure that is absent has no value. */
function toLoadColumn(id: LoadFigureId): Column {
  const valueOf = ({ hostLoad }: ExportedVisit) => {
    const figure = hostLoad?.kind === 'measured' ? hostLoad.figures[id] : null;
    return figure?.kind === 'measured' ? figure.value : null;
  };
  return { name: `host_${toSnakeCase(id)}`, type: 'number', ...unitOf(id), valueOf };
}

function unitOf(id: LoadFigureId): Pick<TypedColumn, 'unit'> {
  if (id.endsWith('Ratio')) return { unit: 'ratio' };
  return id.endsWith('Bytes') ? { unit: 'bytes' } : {};
}

/** `requestStartMs` → `request_start_ms`, `visuallyComplete85Ms` → `visually_complete_85_ms`. */
function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]|\d+/g, (part) => `_${part.toLowerCase()}`);
}
