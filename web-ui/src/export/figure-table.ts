export type FigureValue = string | number | null;

/** The figures of a chart. Numbers are as measured; null is absent. */
export interface FigureTable {
  columns: { label: string; unit?: string; decimals?: number }[];
  rows: FigureValue[][];
}
