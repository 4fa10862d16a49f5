import type { MetricUnit } from '#core/metrics/metric-definition.ts';
import { formatBytes, formatNumber } from './format-numbers.ts';
import { formatMs } from './format-times.ts';

const scoreDecimals = 3;

/** The value of a metric, with its unit. */
export function formatReading(value: number, unit: MetricUnit): string {
  switch (unit) {
    case 'ms':
      return formatMs(value);
    case 'bytes':
      return formatBytes(value);
    case 'count':
      return formatNumber(value);
    case 'score':
      return formatNumber(value, scoreDecimals);
  }
}
