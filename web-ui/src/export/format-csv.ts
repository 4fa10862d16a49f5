import { formatCsvNumber } from '#core/report/format-csv-number.ts';
import type { FigureTable, FigureValue } from './figure-table.ts';

/** The table as RFC 4180 says: a line of names, then a line per row; what is absent is empty. */
export function formatCsv({ columns, rows }: FigureTable): string {
  const header = columns.map(({ label, unit }) => (unit === undefined ? label : `${label} (${unit})`));
  return [header, ...rows].map((row) => row.map(formatField).join(',')).join('\r\n') + '\r\n';
}

/** A text that a spreadsheet would take for a formula is kept a text by a space before it: names and URLs come from elsewhere. */
function formatField(value: FigureValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return formatCsvNumber(value);
  const text = /^[=+\-@\t\r]/.test(value) ? ` ${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
