/** How wide a saved figure is, and what fits that width. */
export interface FigureWidth {
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
