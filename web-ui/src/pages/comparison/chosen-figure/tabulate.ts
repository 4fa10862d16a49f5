import type { ArrangedFigure, FigurePanel, FigurePoint, FigureSeries } from '#core/figures/arranged-figure.ts';
import type { FigureDesign } from '#core/figures/figure-design.ts';
import type { FigureTable, FigureValue } from '../../../export/figure-table.ts';
import { labelDimension, labelValue } from './label-dimension.ts';
import { nameHorizontal, nameVertical } from './name-figure.ts';
import { keyOf } from './style-series.ts';

/** The numbers of a panel, one point a row. */
export function tabulate(
  arranged: ArrangedFigure,
  { panel, design }: { panel: FigurePanel; design: FigureDesign },
): FigureTable {
  const { choice, below } = arranged;
  const reductions = below?.panels[arranged.panels.indexOf(panel)] ?? null;
  const reductionOf = (series: FigureSeries, { x }: FigurePoint) =>
    reductions?.series.find((each) => keyOf(each) === keyOf(series))?.points.find((point) => point.x === x);
  const factor = choice.statistic === 'reduction' ? 100 : 1;
  const hasInterval =
    choice.kind !== 'distribution' && choice.kind !== 'scatter' && ['mean', 'reduction'].includes(choice.statistic);
  const isScatter = choice.kind === 'scatter';
  const points = panel.series.flatMap((series) => series.points.map((point) => ({ series, point })));
  const decimals = choice.kind === 'distribution' ? 3 : 1;
  return {
    columns: [
      ...choice.series.map((name) => ({ label: labelDimension(name), decimals: 3 })),
      ...(isScatter ? [{ label: 'URL' }] : []),
      { label: nameHorizontal(arranged), decimals: points.every(({ point: { x } }) => Number.isInteger(x)) ? 0 : 1 },
      { label: nameVertical(arranged), decimals },
      ...(hasInterval ? [{ label: 'from' }, { label: 'to' }] : []),
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
