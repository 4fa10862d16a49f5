import { catalogue, metricIds, type MetricId } from './index.ts';
import type { MetricUnit } from './metric-definition.ts';

/** What a figure can draw of a Visit: every metric, and what the Visit had on the wire. */
export interface Measure {
  unit: MetricUnit;
  label: string;
  definition: string;
}

/** Of Visits whose packets were captured. docs/metrics.md says which packets belong to a Visit. */
export const wireMeasures = {
  wirePackets: { unit: 'count', label: 'Packets', definition: 'Packets of a Visit, both ways.' },
  wireBytes: {
    unit: 'bytes',
    label: 'Bytes on the wire',
    definition: 'Bytes of a Visit, headers included, both ways.',
  },
  wireSentBytes: {
    unit: 'bytes',
    label: 'Bytes sent',
    definition: 'Bytes that the User Agent sent, headers included.',
  },
  wireReceivedBytes: {
    unit: 'bytes',
    label: 'Bytes received',
    definition: 'Bytes that the User Agent received, headers included.',
  },
  wireSignalling: {
    unit: 'count',
    label: 'Signalling packets',
    definition: 'TCP segments of a Visit without payload, such as acknowledgements.',
  },
  wireConnections: {
    unit: 'count',
    label: 'Connections opened',
    definition: 'TCP and QUIC connections that the User Agent opened during a Visit.',
  },
  wireUnusedConnections: {
    unit: 'count',
    label: 'Opened, not used',
    definition: 'Opened TCP connections without a request.',
  },
} as const satisfies Record<string, Measure>;

export type WireMeasureId = keyof typeof wireMeasures;
export const wireMeasureIds = Object.keys(wireMeasures) as [WireMeasureId, ...WireMeasureId[]];

export type MeasureId = MetricId | WireMeasureId;
export const measures: Record<MeasureId, Measure> = { ...catalogue, ...wireMeasures };
export const measureIds: [MeasureId, ...MeasureId[]] = [...metricIds, ...wireMeasureIds];

export function isMeasure(name: string): name is MeasureId {
  return Object.hasOwn(measures, name);
}

export function isMetric(id: MeasureId): id is MetricId {
  return Object.hasOwn(catalogue, id);
}
