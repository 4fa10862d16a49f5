import type { Chart, Plugin } from 'chart.js';
import type { FigureDesign } from '#core/record/measurements.ts';
import { extentOf } from '#core/statistics/summarize-sample.ts';
import type { ChartInks } from '../components/chart-inks.ts';
import type { ArrangedFigure, FigurePanel, FigurePoint } from './arranged-figure.ts';
import { describePoint, formatDecimals, labelPlace, labelValue, nameHorizontal } from './name-figure.ts';
import type { Plot } from './plot.ts';
import { readFont } from './plot-axes.ts';

/** One cell, by its places on both axes, from 1. */
interface HeatCell {
  x: number;
  y: number;
  point: FigurePoint;
}

const cellGapPx = 1;

/** Of a letter, against the size of its font. */
const letterRatio = 0.55;

/** A panel as a heat map: a column for each place of x, a row for each series, the numbers in the cells, and above them which shade is which value. */
export function plotHeatMap(
  arranged: ArrangedFigure,
  { panel, design }: { panel: FigurePanel; design: FigureDesign },
): Plot {
  const places = arranged.places ?? [];
  const cells = panel.series.flatMap(({ points }, row) =>
    points.map((point): HeatCell => ({ x: places.indexOf(point.x) + 1, y: row + 1, point })),
  );
  // The title has the name of the variable.
  const columns = places.map((place) =>
    typeof place === 'number' ? formatDecimals(place) : labelValue(arranged.choice.x!, place, design),
  );
  const rows = panel.series.map(({ values }) => labelPlace(arranged.choice.series, values, design));
  const range = rangeShades(arranged);
  const write = (point: WrittenPoint) => describePoint(point, arranged.choice);
  return {
    x: { kind: 'places', names: columns, title: nameHorizontal(arranged).title },
    y: { kind: 'places', names: rows, isReversed: true },
    layers: [{ kind: 'cells', label: '', marks: cells }],
    overlayAxes: { [shadeScaleId]: shadeAxis(range) },
    overlays: (inks) => [drawCells(cells, { range, write, inks }), drawShadeScale({ range, write, inks })],
  };
}

function drawCells(
  cells: readonly HeatCell[],
  { range, write, inks }: { range: ShadeRange; write: Write; inks: ChartInks },
): Plugin {
  return {
    id: 'cells',
    beforeDatasetsDraw: (chart: Chart) => {
      const { ctx, scales } = chart;
      const { size: fontPx, family } = readFont(chart);
      ctx.save();
      ctx.textAlign = 'center';
      ctx.textBaseline = 'middle';
      for (const { x, y, point } of cells) {
        const [left, right] = [x - 0.5, x + 0.5].map((at) => scales.x!.getPixelForValue(at)) as [number, number];
        const [top, bottom] = [y - 0.5, y + 0.5].map((at) => scales.y!.getPixelForValue(at)) as [number, number];
        const shade = range.shadeOfPoint(point);
        ctx.globalAlpha = shade?.opacity ?? 1;
        ctx.fillStyle = shade ? inks.shade(shade.colour) : inks.band;
        ctx.fillRect(left + cellGapPx, top + cellGapPx, right - left - 2 * cellGapPx, bottom - top - 2 * cellGapPx);
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
  point: FigurePoint,
  { write, widthPx, fontPx }: { write: Write; widthPx: number; fontPx: number },
): string[] {
  const { value, interval: range } = write(point);
  if (range === null) return [value];
  const interval = `(${range})`;
  return interval.length * letterRatio * fontPx <= widthPx ? [value, interval] : [value];
}

type WrittenPoint = Pick<FigurePoint, 'y' | 'low' | 'high'>;
type Write = (point: WrittenPoint) => { value: string; interval: string | null };

interface Shade {
  colour: string;
  opacity: number;
}

/** How a heat map shows values as shades. */
interface ShadeRange {
  least: number;
  most: number;
  /** Of any value in the range. */
  shadeOf: (value: number) => Shade;
  /** Of a cell: none where the interval of a reduction has zero in it. */
  shadeOfPoint: (point: FigurePoint) => Shade | null;
  /** Whether cells may be undecided, as reductions are. */
  hasUndecided: boolean;
}

/** The strongest shade leaves the text on it readable. */
const strongest = 0.55;
const weakest = 0.08;
const [better, worse] = ['#2563eb', '#d9650b'];

/** Of a reduction the shade is by its sign and size, else by the place of a value between the least and the greatest. */
function rangeShades({ choice, panels }: ArrangedFigure): ShadeRange {
  const values = panels.flatMap(({ series }) => series.flatMap(({ points }) => points.map(({ y }) => y)));
  const between = (ratio: number) => weakest + (strongest - weakest) * ratio;
  const [least, most] = extentOf(values);
  if (choice.statistic === 'reduction') {
    // By the ratio to the baseline: half as much is as far from it as twice as much.
    const distanceOf = (value: number) => Math.abs(Math.log(Math.max(1 - value, Number.EPSILON)));
    const furthest = extentOf(values.map(distanceOf))[1];
    const shadeOf = (value: number) => ({
      colour: value > 0 ? better : worse,
      opacity: between(furthest === 0 ? 0 : distanceOf(value) / furthest),
    });
    return {
      least: Math.min(0, least),
      most: Math.max(0, most),
      shadeOf,
      shadeOfPoint: ({ y, low, high }) =>
        low === null || high === null || (low <= 0 && high >= 0) ? null : shadeOf(y),
      hasUndecided: true,
    };
  }
  const shadeOf = (value: number) => ({
    colour: better,
    opacity: between(most === least ? 0 : (value - least) / (most - least)),
  });
  return { least, most, shadeOf, shadeOfPoint: ({ y }) => shadeOf(y), hasUndecided: false };
}

interface ShadeScale {
  range: ShadeRange;
  write: Write;
  inks: ChartInks;
}

/** The id of the scale whose place it has. */
const shadeScaleId = 'shades';

const stepCount = 24;
/** Whole pixels, or lines would show between the steps. */
const stepPx = 5;
const gapPx = 6;
/** Of a row, against the size of the font. */
const rowRatio = 1.5;
const barRatio = 0.9;

/** Room above the cells for the scale of shades. */
function shadeAxis({ hasUndecided }: ShadeRange) {
  const rows = hasUndecided ? 2 : 1;
  return {
    type: 'linear' as const,
    axis: 'x' as const,
    position: 'top' as const,
    ticks: { display: false },
    grid: { display: false },
    border: { display: false },
    afterFit: (axis: { height: number; chart: Chart }) => {
      axis.height = Math.ceil(rows * rowRatio * readFont(axis.chart).size) + gapPx;
    },
  };
}

/** Draws which shade is which value: a bar from the least to the greatest, with words at its ends, and below it what an undecided cell looks like. */
function drawShadeScale({ range, write, inks }: ShadeScale): Plugin {
  const { least, most, hasUndecided } = range;
  const name = (value: number) => write({ y: value, low: null, high: null }).value;
  return {
    id: 'shade-scale',
    afterDraw: (chart) => {
      const { ctx, scales } = chart;
      const { right, top } = scales[shadeScaleId]!;
      const { size: fontPx, string: font } = readFont(chart);
      const barPx = Math.round(barRatio * fontPx);
      const rowPx = rowRatio * fontPx;
      const box = (left: number, y: number, { widthPx, shade }: { widthPx: number; shade: Shade | null }) => {
        ctx.globalAlpha = shade?.opacity ?? 1;
        ctx.fillStyle = shade ? inks.shade(shade.colour) : inks.band;
        ctx.fillRect(left, y, widthPx, barPx);
        ctx.globalAlpha = 1;
      };
      const frame = (left: number, y: number, widthPx: number) => {
        ctx.strokeStyle = inks.text;
        ctx.lineWidth = 0.5;
        ctx.strokeRect(left, y, widthPx, barPx);
      };
      ctx.save();
      ctx.font = font;
      ctx.textBaseline = 'middle';
      ctx.textAlign = 'right';
      const label = (text: string, x: number, row: number) => {
        ctx.fillStyle = inks.text;
        ctx.fillText(text, x, top + (row + 0.5) * rowPx);
      };
      const barTop = (row: number) => Math.round(top + (row + 0.5) * rowPx - barPx / 2);

      label(name(most), right, 0);
      const barLeft = Math.round(right - ctx.measureText(name(most)).width - gapPx) - stepCount * stepPx;
      for (let step = 0; step < stepCount; step++) {
        const value = least + ((most - least) * (step + 0.5)) / stepCount;
        box(barLeft + step * stepPx, barTop(0), { widthPx: stepPx, shade: range.shadeOf(value) });
      }
      frame(barLeft, barTop(0), stepCount * stepPx);
      label(name(least), barLeft - gapPx, 0);
      if (hasUndecided) {
        label('undecided', right, 1);
        const left = Math.round(right - ctx.measureText('undecided').width - gapPx) - 4 * stepPx;
        box(left, barTop(1), { widthPx: 4 * stepPx, shade: null });
        frame(left, barTop(1), 4 * stepPx);
      }
      ctx.restore();
    },
  };
}
