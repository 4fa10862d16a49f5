import type { ArrangedFigure } from '#core/figures/arranged-figure.ts';
import type { FigureDesign } from '#core/figures/figure-design.ts';
import type { Figure } from '../../../components/chart/figure.ts';
import { describeChart } from './describe-chart.ts';
import { describeHeatMap } from './describe-heat-map.ts';
import { nameFigure } from './name-figure.ts';
import { styleSeries } from './style-series.ts';
import { tabulate } from './tabulate.ts';

/** How much higher a figure with reductions below is. */
export const belowRatio = 1.4;

/** A chart for each panel of a figure, their axes alike. */
export function drawArranged(arranged: ArrangedFigure, design: FigureDesign): Figure[] {
  const styles = styleSeries(arranged, design);
  return arranged.panels.map((panel) => {
    const title = nameFigure(arranged, { panel, design });
    return {
      title,
      fileName: title,
      table: tabulate(arranged, { panel, design }),
      ...(arranged.below && { stretch: belowRatio }),
      describe:
        arranged.choice.kind === 'heat'
          ? describeHeatMap(arranged, { panel, design })
          : describeChart(arranged, { panel, design, styles }),
    };
  });
}
