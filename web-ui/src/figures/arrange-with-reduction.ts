import { arrangeFigure } from './arrange-figure.ts';
import type { ArrangedFigure, FigurePanel } from './arranged-figure.ts';
import type { CompleteChoice } from './complete-choice.ts';
import type { Measurements } from '../../../core/figures/measurements.ts';

/** With more panels than this, each is too small for two figures. */
const mostPanels = 4;

/** The numbers of a figure. Below lines of means are the reductions of the same points, where each panel has some at two places of the horizontal axis. */
export function arrangeWithReduction(measurements: Measurements, choice: CompleteChoice): ArrangedFigure {
  const arranged = arrangeFigure(measurements, choice);
  const isOfMeans = choice.kind === 'line' && choice.statistic === 'mean';
  if (!isOfMeans || arranged.panels.length > mostPanels) return arranged;
  const below = arrangeFigure(measurements, { ...choice, statistic: 'reduction', logY: false });
  const panels = arranged.panels.flatMap(
    ({ values }) => below.panels.find((panel) => isSame(panel.values, values)) ?? [],
  );
  const isWhole = panels.length > 0 && panels.length === arranged.panels.length && panels.every(hasTwoPlaces);
  return isWhole ? { ...arranged, below: { ...below, panels, places: arranged.places } } : arranged;
}

function hasTwoPlaces({ series }: FigurePanel): boolean {
  return series.some(({ points }) => new Set(points.map(({ x }) => x)).size > 1);
}

function isSame(one: FigurePanel['values'], other: FigurePanel['values']): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
