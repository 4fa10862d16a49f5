import { arrangeWithReduction } from '#core/figures/arrange-with-reduction.ts';
import { firstChoices } from '#core/figures/first-choice.ts';
import type { Measurements } from '#core/figures/measurements.ts';
import { drawSvg } from '../components/chart/draw-figure.ts';
import { formatCsv } from '../export/format-csv.ts';
import { nameFile } from '../export/name-file.ts';
import { drawArranged } from '../pages/comparison/chosen-figure/draw-arranged.ts';

interface OfferedFigure {
  /** Of a file, without its ending. */
  name: string;
  title: string;
  svg: string;
  csv: string;
}

declare global {
  /** For a program that opens a saved report: the figures with which it opens, as files. */
  var httpAeFigures: (() => Promise<OfferedFigure[]>) | undefined;
}

/** Offers the figures of a report to a program that has opened it in a browser. */
export function offerFigures(measurements: Measurements | null): void {
  globalThis.httpAeFigures = async () => {
    if (measurements === null) return [];
    const { design } = measurements;
    const figures = firstChoices(design).flatMap((choice) =>
      drawArranged(arrangeWithReduction(measurements, choice), design),
    );
    return Promise.all(
      figures.map(async (figure) => ({
        name: nameFile(figure.fileName),
        title: figure.title,
        svg: await drawSvg(figure).text(),
        csv: formatCsv(figure.table),
      })),
    );
  };
}
