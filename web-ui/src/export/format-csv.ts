import { formatCsvRow } from '#core/export/format-csv-row.ts';
import type { FigureTable } from './figure-table.ts';

/** The table as RFC 4180 says: a line of names, then a line per row; what is absent is empty. */
export function formatCsv({ columns, rows }: FigureTable): string {
  const header = columns.map(({ label, unit }) => (unit === undefined ? label : `${label} (${unit})`));
  return [header, ...rows].map(formatCsvRow).join('');
}
