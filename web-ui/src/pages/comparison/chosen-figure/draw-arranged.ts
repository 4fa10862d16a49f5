import type { ArrangedFigure, FigurePanel, FigurePoint, FigureSeries } from '#web-ui/src/figures/arranged-figure.ts';
import type { FigureDesign } from '#core/figures/figure-design.ts';
import type { Figure } from '../../../components/chart/figure.ts';
import { describeChart } from './describe-chart.ts';
import { nameFigure, nameHorizontal, nameVertical } from './name-figure.ts';
import { styleSeries, keyOf } from './style-series.ts';
import type { FigureTable, FigureValue } from '../../../export/figure-table.ts';
import { labelDimension, labelValue, labelPlace } from './label-dimension.ts';
import type { Chart, ChartConfiguration, Plugin } from 'chart.js';
import type { ChartInks } from '../../../components/chart-inks.ts';
import { placeAxis } from '../figures/value-axis.ts';
import { formatMeasure } from './format-measure.ts';
import { rangeShades, type ShadeRange } from './range-shades.ts';
import { drawShadeScale, readFontPx, shadeAxis, shadeScaleId } from './shade-scale.ts';

/** One cell, by its places on both axes, from 1. */
interface HeatCell {
  x: number;
  y: number;
  point: FigurePoint;
}

const gapPx = 1;

/** Of a letter, against the size of its font. */
const letterRatio = 0.55;

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

/** A panel as a heat map: a column for each place of x, a row for each series, the numbers in the cells, and above them which shade is which value. */
function describeHeatMap(
  arranged: ArrangedFigure,
  { panel, design }: { panel: FigurePanel; design: FigureDesign },
): (inks: ChartInks) => ChartConfiguration {
  const places = arranged.places ?? [];
  const cells = panel.series.flatMap(({ points }, row) =>
    points.map((point): HeatCell => ({ x: places.indexOf(point.x) + 1, y: row + 1, point })),
  );
  const columns = places.map((place) => labelValue(arranged.choice.x!, place, design));
  const rows = panel.series.map(({ values }) => labelPlace(arranged.choice.series, values, design));
  const range = rangeShades(arranged);
  const write = (value: number) => formatMeasure(value, arranged.choice.y, arranged.choice.statistic);
  return (inks) => ({
    type: 'scatter',
    data: { datasets: [{ label: '', data: cells, pointRadius: 0, pointHitRadius: 0 }] },
    plugins: [drawCells(cells, { range, write, inks }), drawShadeScale({ range, write, inks })],
    options: {
      animation: false,
      maintainAspectRatio: false,
      scales: {
        x: {
          ...placeAxis(columns, inks),
          title: { display: true, text: nameHorizontal(arranged), color: inks.text },
        },
        y: { ...placeAxis(rows, inks), reverse: true },
        [shadeScaleId]: shadeAxis(range),
      },
      plugins: { tooltip: { enabled: false } },
    },
  });
}

function drawCells(
  cells: readonly HeatCell[],
  { range, write, inks }: { range: ShadeRange; write: (value: number) => string; inks: ChartInks },
): Plugin {
  return {
    id: 'cells',
    beforeDatasetsDraw: (chart: Chart) => {
      const { ctx, scales } = chart;
      const fontPx = readFontPx(chart.options);
      const family = chart.options.font?.family ?? 'sans-serif';
      ctx.save();
      ctx.textAlign = 'center';
      ctx.textBaseline = 'middle';
      for (const { x, y, point } of cells) {
        const [left, right] = [x - 0.5, x + 0.5].map((at) => scales.x!.getPixelForValue(at)) as [number, number];
        const [top, bottom] = [y - 0.5, y + 0.5].map((at) => scales.y!.getPixelForValue(at)) as [number, number];
        const shade = range.shadeOfPoint(point);
        ctx.globalAlpha = shade?.opacity ?? 1;
        ctx.fillStyle = shade ? inks.shade(shade.colour) : inks.band;
        ctx.fillRect(left + gapPx, top + gapPx, right - left - 2 * gapPx, bottom - top - 2 * gapPx);
        ctx.globalAlpha = 1;
        ctx.fillStyle = inks.text;
        const middle = (top + bottom) / 2;
        const lines = linesOf(point, { write, widthPx: right - left, fontPx });
        for (const [index, line] of lines.entries()) {
          ctx.font = `${index === 0 ? 'bold ' : ''}${fontPx}px ${family}`;
          ctx.fillText(line, (left + right) / 2, middle + (index - (lines.length - 1) / 2) * 1.3 * fontPx);
        }
      }
      ctx.restore();
    },
  };
}

/** The value, and its interval where there is room for it. */
function linesOf(
  { y, low, high }: FigurePoint,
  { write, widthPx, fontPx }: { write: (value: number) => string; widthPx: number; fontPx: number },
): string[] {
  const value = write(y);
  if (low === null || high === null) return [value];
  const interval = `(${write(low)} to ${write(high)})`;
  return interval.length * letterRatio * fontPx <= widthPx ? [value, interval] : [value];
}
