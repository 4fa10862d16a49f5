import type { ArrangedFigure, FigurePanel } from '#web-ui/src/figures/arranged-figure.ts';
import type { FigureDesign } from '#core/figures/figure-design.ts';
import { isMeasure } from '#core/metrics/measures.ts';
import { formatConfidence } from '../../../format/format-ratios.ts';
import { labelMeasure, originOf, titleAxis } from './format-measure.ts';
import { labelDimension, labelPlace } from './label-dimension.ts';

/** What is drawn, by what, and of which panel. */
export function nameFigure(
  { choice, panels, confidence, countedFrom: from }: ArrangedFigure,
  { panel, design }: { panel: FigurePanel; design: FigureDesign },
): string {
  const place = panels.length > 1 ? `: ${labelPlace(choice.panels, panel.values, design)}` : '';
  if (choice.title !== null) return `${choice.title}${originOf(choice.y, from)}${place}`;
  const label = labelMeasure(choice.y, { statistic: choice.statistic, from });
  if (choice.kind === 'distribution') return `Distribution of ${lowerFirst(label)}${place}`;
  const x = choice.x!;
  const by =
    isMeasure(x) && choice.kind === 'scatter'
      ? lowerFirst(labelMeasure(x, { statistic: 'mean', from }))
      : labelDimension(x);
  const hasIntervals = choice.kind !== 'scatter' && ['mean', 'reduction'].includes(choice.statistic);
  return `${label} by ${by}${place}${hasIntervals ? `, with ${formatConfidence(confidence)} intervals` : ''}`;
}

/** Of the horizontal axis. */
export function nameHorizontal({ choice, countedFrom: from }: ArrangedFigure): string {
  if (choice.kind === 'distribution') return titleAxis(choice.y, { statistic: 'mean', from });
  const x = choice.x!;
  return choice.kind === 'scatter' && isMeasure(x) ? titleAxis(x, { statistic: 'mean', from }) : labelDimension(x);
}

export function nameVertical({ choice, countedFrom: from }: ArrangedFigure): string {
  return choice.kind === 'distribution'
    ? 'Share of Visits'
    : titleAxis(choice.y, { statistic: choice.statistic, from });
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
