import type { Plugin } from 'chart.js';
import type { ChartInks } from '../../../components/chart-inks.ts';
import type { Shade, ShadeRange } from './range-shades.ts';

interface ShadeScale {
  range: ShadeRange;
  write: (value: number) => string;
  inks: ChartInks;
}

/** The id of the scale whose place it has. */
export const shadeScaleId = 'shades';

const stepCount = 24;
/** Whole pixels, or lines would show between the steps. */
const stepPx = 5;
const gapPx = 6;
/** Of a row, against the size of the font. */
const rowRatio = 1.5;
const barRatio = 0.9;

/** Room above the cells for the scale of shades. */
export function shadeAxis({ words }: ShadeRange) {
  const rows = words === null ? 1 : 2;
  return {
    type: 'linear' as const,
    axis: 'x' as const,
    position: 'top' as const,
    ticks: { display: false },
    grid: { display: false },
    border: { display: false },
    afterFit: (axis: { height: number; chart: { options: { font?: unknown } } }) => {
      axis.height = Math.ceil(rows * rowRatio * readFontPx(axis.chart.options)) + gapPx;
    },
  };
}

/** Draws which shade is which value: a bar from the least to the greatest, with words at its ends, and below it what an undecided cell looks like. */
export function drawShadeScale({ range, write, inks }: ShadeScale): Plugin {
  const { least, most, words } = range;
  const name = (value: number) => {
    const word = value === 0 || words === null ? '' : value < 0 ? words.below : words.above;
    return word === '' ? write(value) : `${write(value)} ${word}`;
  };
  return {
    id: 'shade-scale',
    afterDraw: ({ ctx, scales, options }) => {
      const { right, top } = scales[shadeScaleId]!;
      const fontPx = readFontPx(options);
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
      ctx.font = `${fontPx}px ${options.font?.family ?? 'sans-serif'}`;
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
      if (words !== null) {
        label('undecided', right, 1);
        const left = Math.round(right - ctx.measureText('undecided').width - gapPx) - 4 * stepPx;
        box(left, barTop(1), { widthPx: 4 * stepPx, shade: null });
        frame(left, barTop(1), 4 * stepPx);
      }
      ctx.restore();
    },
  };
}

/** Of a chart: what it is saved with, or what Chart.js has. */
export function readFontPx(options: { font?: unknown }): number {
  const size = (options.font as { size?: unknown } | undefined)?.size;
  return typeof size === 'number' ? size : 12;
}
