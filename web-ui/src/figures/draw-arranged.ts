import { measures } from '#core/metrics/measures.ts';
import type { FigureDesign } from '#core/record/measurements.ts';
import type { Figure } from '../components/chart/figure.ts';
import type { FigureTable, FigureValue } from '../export/figure-table.ts';
import type { ArrangedFigure, FigurePanel, FigurePoint, FigureSeries } from './arranged-figure.ts';
import { describePlot } from './describe-plot.ts';
import { plotHeatMap } from './heat-map.ts';
import {
  hasIntervals,
  headColumn,
  labelDimension,
  labelValue,
  nameFigure,
  nameHorizontal,
  nameVertical,
} from './name-figure.ts';
import { plotPanel } from './plot-arranged.ts';
import { keyOf, styleSeries } from './style-series.ts';

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
      hasIntervals: hasIntervals(arranged.choice),
      table: tabulate(arranged, { panel, design }),
      ...(arranged.below && { stretch: belowRatio }),
      describe: describePlot(() =>
        arranged.choice.kind === 'heat'
          ? plotHeatMap(arranged, { panel, design })
          : plotPanel(arranged, { panel, design, styles }),
      ),
    };
  });
}

/** The numbers of a panel, one point a row. */
function tabulate(
  arranged: ArrangedFigure,
  { panel, design }: { panel: FigurePanel; design: FigureDesign },
): FigureTable {
  const { choice, below } = arranged;
  const reductions = below?.panels[arranged.panels.indexOf(panel)] ?? null;
  const reductionOf = (series: FigureSeries, { x }: FigurePoint) =>
    reductions?.series.find((each) => keyOf(each) === keyOf(series))?.points.find((point) => point.x === x);
  const factor = choice.statistic === 'reduction' ? 100 : 1;
  const hasInterval = hasIntervals(choice);
  const isScatter = choice.kind === 'scatter';
  const points = panel.series.flatMap((series) => series.points.map((point) => ({ series, point })));
  const isScore = measures[choice.y].unit === 'score' && choice.statistic !== 'reduction';
  const decimals = choice.kind === 'distribution' || isScore ? 3 : 1;
  return {
    columns: [
      ...choice.series.map((name) => ({ label: labelDimension(name), decimals: 'own' as const })),
      ...(isScatter ? [{ label: 'URL' }] : []),
      { label: headColumn(nameHorizontal(arranged)), decimals: 'own' },
      { label: headColumn(nameVertical(arranged)), decimals },
      ...(hasInterval ? ['from', 'to'].map((label) => ({ label, decimals })) : []),
      { label: hasInterval ? 'Rounds' : 'Visits', decimals: 0 },
      ...(reductions ? ['reduction', 'reduction from', 'reduction to'].map((label) => ({ label, unit: '%' })) : []),
    ],
    rows: points.map(({ series, point }) => [
      ...choice.series.map((name, index) => nameCell(name, series.values[index]!, design)),
      ...(isScatter ? [point.page] : []),
      choice.kind === 'distribution' || isScatter ? point.x : nameCell(choice.x!, point.x, design),
      point.y * factor,
      ...(hasInterval ? [scale(point.low, factor), scale(point.high, factor)] : []),
      point.count,
      ...(reductions ? listReduction(reductionOf(series, point)) : []),
    ]),
  };
}

function nameCell(name: string, value: FigurePoint['x'], design: FigureDesign): FigureValue {
  // Its column has the name of the dimension.
  return name === 'page' ? labelValue(name, value, design) : value;
}

function listReduction(point: FigurePoint | undefined): (number | null)[] {
  return [point?.y ?? null, point?.low ?? null, point?.high ?? null].map((value) => scale(value, 100));
}

function scale(value: number | null, factor: number): number | null {
  return value === null ? null : value * factor;
}
