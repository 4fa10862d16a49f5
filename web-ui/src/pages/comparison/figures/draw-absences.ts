import type { Plugin } from 'chart.js';
import type { ChartInks } from '../../../components/chart-inks.ts';

/** Marks that are not there, and the reasons to show instead, each on lines of its own. */
export interface AbsentMarks {
  /** On the vertical axis, of the middle. */
  y: number;
  reasons: string[];
}

const font = { sizePx: 12, family: 'system-ui, sans-serif' };
const lineHeightPx = 15;
const marginPx = 10;

/** Writes reasons where marks would be, each in as many lines as the width needs. */
export function drawAbsences(absences: readonly AbsentMarks[], inks: Pick<ChartInks, 'text' | 'paper'>): Plugin {
  return {
    id: 'absences',
    afterDatasetsDraw: ({ ctx, chartArea, scales }) => {
      const axis = scales.y;
      if (!axis || absences.length === 0) return;
      ctx.save();
      ctx.font = `italic ${font.sizePx}px ${font.family}`;
      ctx.textAlign = 'left';
      ctx.textBaseline = 'middle';
      for (const { y, reasons } of absences) {
        const lines = reasons.flatMap((reason) =>
          breakLines(reason, (text) => ctx.measureText(text).width <= chartArea.width - 2 * marginPx),
        );
        const top = axis.getPixelForValue(y) - ((lines.length - 1) * lineHeightPx) / 2;
        lines.forEach((line, index) => {
          const middle = top + index * lineHeightPx;
          // On paper, so that no line of the grid strikes it through.
          ctx.fillStyle = inks.paper;
          ctx.fillRect(
            chartArea.left + marginPx - 3,
            middle - lineHeightPx / 2,
            ctx.measureText(line).width + 6,
            lineHeightPx,
          );
          ctx.fillStyle = inks.text;
          ctx.fillText(line, chartArea.left + marginPx, middle);
        });
      }
      ctx.restore();
    },
  };
}

/** At spaces, so that each line fits; a word that does not stands alone. */
export function breakLines(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
