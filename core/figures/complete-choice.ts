import type { FigureChoice } from '../evaluation/figures/figure-choice.ts';
import { listDimensions } from '../evaluation/figures/list-dimensions.ts';
import type { MeasureId } from '../metrics/measures.ts';
import { chooseHorizontal } from './choose-horizontal.ts';
import { choosePanels, chooseSeries } from './choose-series.ts';
import type { FigureDesign } from './figure-design.ts';

/** A choice that leaves nothing open. */
export interface CompleteChoice extends Pick<FigureChoice, 'kind' | 'statistic' | 'logX' | 'logY'> {
  title: string | null;
  y: MeasureId;
  /** Null of a distribution, which has none. */
  x: string | null;
  series: string[];
  panels: string[];
  only: NonNullable<FigureChoice['only']>;
}

/** Chooses by the design what a choice leaves open. What the design does not have, it leaves out. */
export function completeChoice(design: FigureDesign, choice: FigureChoice): CompleteChoice {
  const { kind, statistic, title = null, only = {}, logX, logY } = choice;
  const dimensions = listDimensions(design);
  const known = (names: readonly string[]) => names.filter((name) => dimensions.has(name));
  const x = chooseHorizontal(design, { ...choice, dimensions });
  const panels = choice.panels ? known(choice.panels) : null;
  const series = choice.series
    ? known(choice.series).filter((name) => name !== x)
    : chooseSeries(design, { x, panels: panels ?? choosePanels(design, { x, series: [] }) });
  return {
    title,
    kind,
    statistic,
    y: choice.y ?? design.primaryMetric,
    x,
    series: series.filter((name) => !panels?.includes(name)),
    panels: panels ?? choosePanels(design, { x, series }),
    only: Object.fromEntries(Object.entries(only).filter(([name]) => dimensions.has(name))),
    logX,
    logY,
  };
}
