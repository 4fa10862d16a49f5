import { BasicPlatform, Chart, type ChartConfiguration, type LegendItem, type Plugin } from 'chart.js';
import { Element as SvgCanvas } from 'svgcanvas';
import { chartInks } from '../chart-inks.ts';
import type { Figure } from './figure.ts';
import { wrapText } from '../../figures/place-names.ts';
import { registerChartParts } from './register-chart-parts.ts';

registerChartParts();

/** Of a legend, on a page. */
const legendMarkPx = 9;

function sizeOf(figure: Figure, { widthPx, ratio }: FigureWidth): { width: number; height: number } {
  return { width: widthPx, height: Math.round(widthPx * ratio * (figure.stretch ?? 1)) };
}

/** The figure as one SVG document, with its title and legend, in the inks of paper. */
export function drawSvg(figure: Figure, width: FigureWidth = figureWidths.page): Blob {
  const size = sizeOf(figure, width);
  const canvas = new SvgCanvas(size);
  drawOn(canvas as unknown as HTMLCanvasElement, { figure, width, devicePixelRatio: 1 });
  const { svg } = canvas;
  // The library writes a decoration that no text here has.
  for (const text of svg.querySelectorAll('[text-decoration="undefined"]')) text.removeAttribute('text-decoration');
  svg.setAttribute('viewBox', `0 0 ${size.width} ${size.height}`);
  if (width.columnMm !== null) {
    svg.setAttribute('width', `${width.columnMm}mm`);
    svg.setAttribute('height', `${((width.columnMm * size.height) / size.width).toFixed(2)}mm`);
  }
  return new Blob([new XMLSerializer().serializeToString(svg)], { type: 'image/svg+xml;charset=utf-8' });
}

/** The same as a PNG, fine enough for print. */
export async function drawPng(figure: Figure, width: FigureWidth = figureWidths.page): Promise<Blob> {
  const canvas = Object.assign(document.createElement('canvas'), sizeOf(figure, width));
  drawOn(canvas, { figure, width, devicePixelRatio: width.pixelRatio });
  const { promise, resolve, reject } = Promise.withResolvers<Blob>();
  canvas.toBlob(
    (blob) => (blob ? resolve(blob) : reject(new Error('The browser could not draw the PNG. Save the chart as SVG.'))),
    'image/png',
  );
  return promise;
}

function drawOn(
  canvas: HTMLCanvasElement,
  { figure, width, devicePixelRatio }: { figure: Figure; width: FigureWidth; devicePixelRatio: number },
): void {
  const inks = chartInks.light;
  const markPx = Math.round(legendMarkPx * Math.max(0.6, width.markRatio));
  const described = figure.describe(inks);
  const config: ChartConfiguration = {
    ...described,
    data: {
      ...described.data,
      datasets: described.data.datasets.map((dataset) => fitDataset(dataset, width.markRatio)),
    },
    platform: BasicPlatform,
    plugins: [layPaper(inks.paper), ...(described.plugins ?? [])],
    options: {
      ...described.options,
      animation: false,
      responsive: false,
      devicePixelRatio,
      font: { size: width.fontPx },
      layout: { padding: width.columnMm === null ? 16 : 4 },
      plugins: {
        ...described.options?.plugins,
        tooltip: { enabled: false },
        title: {
          display: width.columnMm === null,
          text: figure.title,
          align: 'start',
          color: inks.text,
          font: { size: 16, weight: 'bold' },
        },
        legend: {
          display: described.data.datasets.some(({ label }) => label !== '' && label !== figure.title),
          position: 'bottom',
          align: 'start',
          labels: {
            usePointStyle: described.type !== 'bar',
            boxWidth: markPx,
            pointStyleWidth: 1.5 * markPx,
            boxHeight: markPx,
            color: inks.text,
            padding: width.columnMm === null ? 16 : 8,
            // A line through points is theirs.
            filter: ({ text }) => text !== '',
            generateLabels: (chart) => wrapLegend(Chart.defaults.plugins.legend.labels.generateLabels(chart), width),
            // In the order of the figure's data; Chart.js has them in the order of drawing.
            sort: (a, b) => a.datasetIndex! - b.datasetIndex!,
          },
        },
      },
    },
  };
  const chart = new Chart(canvas, config);
  chart.draw();
  chart.stop();
}

/** Of a letter, against the size of its font. */
const letterRatio = 0.55;
/** Of the drawing, for the longest line of a legend. */
const legendRatio = 0.85;

const noInk = 'rgba(0, 0, 0, 0)';

/** Texts of a legend in as many lines as they need: those after the first are without a mark, as Chart.js has no room for lines. */
function wrapLegend(items: LegendItem[], { widthPx, fontPx }: FigureWidth): LegendItem[] {
  const mostLetters = Math.floor((legendRatio * widthPx) / (letterRatio * fontPx));
  return items.flatMap((item) =>
    wrapText(item.text, mostLetters).map((text, line) =>
      line === 0 ? { ...item, text } : { ...item, text, fillStyle: noInk, strokeStyle: noInk, lineWidth: 0 },
    ),
  );
}

/** Marks and error bars as large as the width lets them be. */
export function fitDataset<Dataset extends object>(dataset: Dataset, ratio: number): Dataset {
  const sizes = ['radius', 'pointRadius', 'errorBarWhiskerSize', 'itemRadius'].flatMap((name): [string, unknown][] => {
    const value: unknown = Reflect.get(dataset, name);
    // Of each mark, or of all.
    if (Array.isArray(value)) return [[name, value.map((each: number) => each * ratio)]];
    return typeof value === 'number' ? [[name, value * ratio]] : [];
  });
  // Chart.js draws a line without segments as one Path2D, which the SVG canvas does not know.
  return { segment: {}, ...dataset, ...(Object.fromEntries(sizes) as Partial<Dataset>) };
}

function layPaper(colour: string): Plugin {
  return {
    id: 'paper',
    beforeDraw: ({ ctx, width, height }) => {
      ctx.save();
      ctx.fillStyle = colour;
      ctx.fillRect(0, 0, width, height);
      ctx.restore();
    },
  };
}

/** How wide a saved figure is, and what fits that width. */
interface FigureWidth {
  label: string;
  widthPx: number;
  /** Height over width. */
  ratio: number;
  fontPx: number;
  /** Of marks, against those on a page. */
  markRatio: number;
  /** Pixels of a PNG for each of the drawing. */
  pixelRatio: number;
  /** Columns of a paper: their width in an SVG, and no title, which their caption has. */
  columnMm: number | null;
}

const pxPerMm = 96 / 25.4;
/** 600 dots per inch. */
const printRatio = 6.25;

export const figureWidths = {
  page: {
    label: 'As wide as a page',
    widthPx: 960,
    ratio: 520 / 960,
    fontPx: 12,
    markRatio: 1,
    pixelRatio: 3,
    columnMm: null,
  },
  two: {
    label: 'Two columns, 183 mm',
    widthPx: Math.round(183 * pxPerMm),
    ratio: 0.5,
    fontPx: 11,
    markRatio: 0.8,
    pixelRatio: printRatio,
    columnMm: 183,
  },
  one: {
    label: 'One column, 89 mm',
    widthPx: Math.round(89 * pxPerMm),
    ratio: 0.75,
    fontPx: 10,
    markRatio: 0.65,
    pixelRatio: printRatio,
    columnMm: 89,
  },
} as const satisfies Record<string, FigureWidth>;
export type FigureWidthId = keyof typeof figureWidths;
