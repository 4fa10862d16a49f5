import { catalogue, metricIds, type MetricId, type MetricUnit } from '../metrics/catalogue.ts';
import { wireFigures } from '../comparison/network/wire-comparison.ts';

/** What the packets of a Visit give, besides its Readings. */
export const wireMetricIds = ['packets', 'bytes', 'connections', 'unusedConnections'] as const;
export type WireMetricId = (typeof wireMetricIds)[number];

/** What a study can state expectations about: one number of each Visit. */
export const studyMetricIds = [...metricIds, ...wireMetricIds] as const;
export type StudyMetricId = MetricId | WireMetricId;

export function labelOf(metric: StudyMetricId): string {
  return isWireMetric(metric) ? `${wireFigures[metric].label} per Visit` : catalogue[metric].label;
}

export function unitOf(metric: StudyMetricId): MetricUnit {
  if (!isWireMetric(metric)) return catalogue[metric].unit;
  return metric === 'bytes' ? 'bytes' : 'count';
}

function isWireMetric(metric: StudyMetricId): metric is WireMetricId {
  return (wireMetricIds as readonly string[]).includes(metric);
}
