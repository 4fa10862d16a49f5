import { formatCsvNumber } from '#core/report/format-csv-number.ts';

export type CsvValue = string | number | boolean | null;

/**
 * One line of CSV, RFC 4180; null is an empty cell. A text that a spreadsheet would take for a formula gets an apostrophe
 * before it, which spreadsheets do not show. https://owasp.org/www-community/attacks/CSV_Injection
 */
export function formatCsvRow(values: readonly CsvValue[]): string {
  return `${values.map(formatCell).join(',')}\r\n`;
}

function formatCell(value: CsvValue): string {
  if (typeof value === 'number') return formatCsvNumber(value);
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
