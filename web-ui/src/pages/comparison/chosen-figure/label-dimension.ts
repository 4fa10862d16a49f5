import type { DimensionValue } from '#core/evaluation/figures/figure-choice.ts';
import type { FigureDesign } from '#core/figures/figure-design.ts';
import { formatDecimals } from './format-measure.ts';

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
