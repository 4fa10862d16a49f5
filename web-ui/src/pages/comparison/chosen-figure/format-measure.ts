import type { FigureStatistic } from '#core/evaluation/figures/figure-choice.ts';
import { latencyIds } from '#core/metrics/index.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import { measures, type MeasureId } from '#core/metrics/measures.ts';
import { decimalsOfMs } from '../../../format/format-ms.ts';
import { formatNumber } from '../../../format/format-number.ts';
import { formatReading } from '../../../format/format-reading.ts';

const units = { ms: 'ms', bytes: 'bytes', count: '', score: '' } as const;
const mostDecimals = 3;

/** A number with the decimals that it has, at most three. */
export function formatDecimals(value: number): string {
  const decimals = [0, 1, 2].find((count) => Number(value.toFixed(count)) === Number(value.toFixed(mostDecimals)));
  return formatNumber(value, decimals ?? mostDecimals);
}

/** The unit of what is drawn; empty where it has none. A reduction is in percent. */
function unitOf(measure: MeasureId, statistic: FigureStatistic): string {
  return statistic === 'reduction' ? '%' : units[measures[measure].unit];
}

/** What is drawn, and from when its latencies count. */
interface Drawn {
  statistic: FigureStatistic;
  from: LatencyOrigin;
}

/** ` from the first request` after a latency that counts from there, else nothing. */
export function originOf(measure: MeasureId, from: LatencyOrigin): string {
  return from === 'first-request' && latencyIds.some((id) => id === measure) ? ' from the first request' : '';
}

/** `Total page load latency`; of a statistic other than the mean with its name. */
export function labelMeasure(measure: MeasureId, { statistic, from }: Drawn): string {
  const label = `${measures[measure].label}${originOf(measure, from)}`;
  const lower = label.charAt(0).toLowerCase() + label.slice(1);
  switch (statistic) {
    case 'mean':
      return label;
    case 'reduction':
      return `Reduction of ${lower}`;
    case 'min':
      return `Least ${lower}`;
    case 'median':
      return `Median ${lower}`;
    case 'p95':
      return `95 % quantile of ${lower}`;
    case 'max':
      return `Greatest ${lower}`;
  }
}

export function titleAxis(measure: MeasureId, drawn: Drawn): string {
  const unit = unitOf(measure, drawn.statistic);
  return `${labelMeasure(measure, drawn)}${unit && `, ${unit}`}`;
}

/** A value with its unit. */
export function formatMeasure(value: number, measure: MeasureId, statistic: FigureStatistic): string {
  if (statistic === 'reduction') return `${formatNumber(value * 100, 1)} %`;
  const { unit } = measures[measure];
  return unit === 'count' ? formatNumber(value, decimalsOfMs(value)) : formatReading(value, unit);
}
