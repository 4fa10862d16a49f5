import { formatCsvRow } from '#core/export/format-csv-row.ts';

export type FigureValue = string | number | null;

/** The figures of a chart. Numbers are as measured; null is absent. */
export interface FigureTable {
  /** With as many decimals as on the page, one unless given; `own`: those that a number was given with. */
  columns: { label: string; unit?: string; decimals?: number | 'own' }[];
  rows: FigureValue[][];
}

/** The table as RFC 4180 says: a line of names, then a line per row; what is absent is empty. */
export function formatCsv({ columns, rows }: FigureTable): string {
  const header = columns.map(({ label, unit }) => (unit === undefined ? label : `${label} (${unit})`));
  return [header, ...rows].map(formatCsvRow).join('');
}
