import type { DimensionValue, FigureStatistic } from '#core/evaluation/figures/figure-choice.ts';
import { lowerFirst } from '#core/comparison/findings/finding-words.ts';
import type { FigureDesign } from '#core/record/measurements.ts';
import { nameOrigin, type LatencyOrigin } from '#core/metrics/latency-origin.ts';
import { isMeasure, measures, type MeasureId } from '#core/metrics/measures.ts';
import { formatNumber } from '../format/format-numbers.ts';
import { describeReduction, formatConfidence } from '../format/format-ratios.ts';
import { formatReading } from '../format/format-reading.ts';
import { decimalsOfMs } from '../format/format-times.ts';
import type { ArrangedFigure, FigurePanel, FigurePoint } from './arranged-figure.ts';
import type { NumberAxis } from './plot.ts';

/** What is drawn, by what, and of which panel. */
export function nameFigure(
  { choice, panels, confidence, countedFrom: from }: ArrangedFigure,
  { panel, design }: { panel: FigurePanel; design: FigureDesign },
): string {
  const place = panels.length > 1 ? `: ${labelPlace(choice.panels, panel.values, design)}` : '';
  if (choice.title !== null) return `${choice.title}${nameOrigin(choice.y, from)}${place}`;
  const label = labelMeasure(choice.y, { statistic: choice.statistic, from });
  if (choice.kind === 'distribution') return `Distribution of ${lowerFirst(label)}${place}`;
  const x = choice.x!;
  const by =
    isMeasure(x) && choice.kind === 'scatter'
      ? lowerFirst(labelMeasure(x, { statistic: 'mean', from }))
      : labelDimension(x);
  return `${label} by ${by}${place}${hasIntervals(choice) ? `, with ${formatConfidence(confidence)} intervals` : ''}`;
}

/** Whether its numbers have intervals over Rounds. */
export function hasIntervals({ kind, statistic }: ArrangedFigure['choice']): boolean {
  return kind !== 'distribution' && kind !== 'scatter' && ['mean', 'reduction'].includes(statistic);
}

/** What an axis is called, and in which unit its values are kept. */
export type AxisName = Pick<NumberAxis, 'title' | 'unit'>;

export function nameHorizontal({ choice, countedFrom: from }: ArrangedFigure): AxisName {
  if (choice.kind === 'distribution') return nameAxis(choice.y, { statistic: 'mean', from });
  const x = choice.x!;
  return choice.kind === 'scatter' && isMeasure(x)
    ? nameAxis(x, { statistic: 'mean', from })
    : { title: labelDimension(x) };
}

export function nameVertical({ choice, countedFrom: from }: ArrangedFigure): AxisName {
  return choice.kind === 'distribution'
    ? { title: 'Share of Visits' }
    : nameAxis(choice.y, { statistic: choice.statistic, from });
}

/** A point's value and its interval, null where it has none: `7.1 s` and `6.9 s to 7.3 s`, or `27 % less` and `24 to 30 %`. */
export function describePoint(
  { y, low, high }: Pick<FigurePoint, 'y' | 'low' | 'high'>,
  { y: measure, statistic }: ArrangedFigure['choice'],
): { value: string; interval: string | null } {
  const hasInterval = low !== null && high !== null;
  if (statistic === 'reduction') {
    const { shown, range } = describeReduction({ ratio: y, low, high });
    return { value: shown, interval: hasInterval ? range : null };
  }
  const write = (value: number) => formatMeasure(value, measure);
  return { value: write(y), interval: hasInterval ? `${write(low)} to ${write(high)}` : null };
}

/** As the head of a column, whose numbers are as they are kept. */
export function headColumn({ title, unit }: AxisName): string {
  return unit === undefined ? title : `${title}, ${unit}`;
}

const givenLabels: Record<string, string> = {
  page: 'URL',
  scenario: 'Scenario',
  group: 'group',
  userAgent: 'User Agent',
  userClass: 'class',
};

/** What a dimension is called. */
export function labelDimension(name: string): string {
  return Object.hasOwn(givenLabels, name) ? givenLabels[name]! : name;
}

/** Texts that say nothing without the name of their variable. */
const bareWords: ReadonlySet<string> = new Set(['on', 'off', 'yes', 'no', 'true', 'false']);

/** One of its values: numbers of variables say whose they are, and so do words such as `on`. */
export function labelValue(name: string, value: DimensionValue, design: FigureDesign): string {
  if (name === 'page') return design.pages.find(({ page }) => page === value)?.label ?? String(value);
  if (typeof value === 'number') return `${labelDimension(name)} ${formatDecimals(value)}`;
  return bareWords.has(value.toLowerCase()) ? `${labelDimension(name)} ${value}` : value;
}

/** A combination of values; `all` where there are none. */
export function labelPlace(names: readonly string[], values: readonly DimensionValue[], design: FigureDesign): string {
  return names.map((name, index) => labelValue(name, values[index]!, design)).join(', ') || 'all Visits';
}

const mostDecimals = 12;

/** A number with the decimals that it has, at most three, or as many as three digits of a small number need. */
export function formatDecimals(value: number): string {
  const ofSmall = value === 0 ? 0 : 2 - Math.floor(Math.log10(Math.abs(value)));
  const most = Math.min(mostDecimals, Math.max(3, ofSmall));
  let decimals = 0;
  while (decimals < most && Number(value.toFixed(decimals)) !== Number(value.toFixed(most))) decimals++;
  return formatNumber(value, decimals);
}

/** What is drawn, and from when its latencies count. */
interface Drawn {
  statistic: FigureStatistic;
  from: LatencyOrigin;
}

/** `Total page load latency`; of a statistic other than the mean with its name. */
export function labelMeasure(measure: MeasureId, { statistic, from }: Drawn): string {
  const label = `${measures[measure].label}${nameOrigin(measure, from)}`;
  const lower = lowerFirst(label);
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

function nameAxis(measure: MeasureId, drawn: Drawn): AxisName {
  const title = labelMeasure(measure, drawn);
  const { unit } = measures[measure];
  if (drawn.statistic === 'reduction') return { title: `${title}, %` };
  return unit === 'ms' || unit === 'bytes' ? { title, unit } : { title };
}

/** A value with its unit. */
export function formatMeasure(value: number, measure: MeasureId): string {
  const { unit } = measures[measure];
  return unit === 'count' ? formatNumber(value, decimalsOfMs(value)) : formatReading(value, unit);
}
