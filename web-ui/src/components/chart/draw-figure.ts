import { BasicPlatform, Chart, type ChartConfiguration, type Plugin } from 'chart.js';
import { Element as SvgCanvas } from 'svgcanvas';
import { chartInks } from '../chart-inks.ts';
import type { Figure } from './figure.ts';
import { registerChartParts } from './register-chart-parts.ts';

registerChartParts();

const sizePx = { width: 960, height: 520 };
const pixelRatio = 3;
const markPx = 9;

/** The figure as one SVG document, with its title and legend, in the inks of paper. */
export function drawSvg(figure: Figure): Blob {
  const canvas = new SvgCanvas(sizePx);
  drawOn(canvas as unknown as HTMLCanvasElement, { figure, devicePixelRatio: 1 });
  const { svg } = canvas;
  // The library writes a decoration that no text here has.
  for (const text of svg.querySelectorAll('[text-decoration="undefined"]')) text.removeAttribute('text-decoration');
  svg.setAttribute('viewBox', `0 0 ${sizePx.width} ${sizePx.height}`);
  return new Blob([new XMLSerializer().serializeToString(svg)], { type: 'image/svg+xml;charset=utf-8' });
}

/** The same as a PNG, fine enough for print. */
export async function drawPng(figure: Figure): Promise<Blob> {
  const canvas = Object.assign(document.createElement('canvas'), sizePx);
  drawOn(canvas, { figure, devicePixelRatio: pixelRatio });
  const { promise, resolve, reject } = Promise.withResolvers<Blob>();
  canvas.toBlob(
    (blob) => (blob ? resolve(blob) : reject(new Error('The browser could not draw the PNG. Save the chart as SVG.'))),
    'image/png',
  );
  return promise;
}

function drawOn(
  canvas: HTMLCanvasElement,
  { figure, devicePixelRatio }: { figure: Figure; devicePixelRatio: number },
): void {
  const inks = chartInks.light;
  const described = figure.describe(inks);
  const config: ChartConfiguration = {
    ...described,
    // Chart.js draws a line without segments as one Path2D, which the SVG canvas does not know.
    data: { ...described.data, datasets: described.data.datasets.map((dataset) => ({ ...dataset, segment: {} })) },
    platform: BasicPlatform,
    plugins: [layPaper(inks.paper), ...(described.plugins ?? [])],
    options: {
      ...described.options,
      animation: false,
      responsive: false,
      devicePixelRatio,
      layout: { padding: 16 },
      plugins: {
        ...described.options?.plugins,
        tooltip: { enabled: false },
        title: {
          display: true,
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
            padding: 16,
            // A line through points is theirs.
            filter: ({ text }) => text !== '',
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
