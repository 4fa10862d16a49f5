import type { MetricUnit } from '../metrics/metric-definition.ts';

/** From here on, nine digits would be fewer than four decimals. */
const manyDigits = 1e5;

/** Texts that pandas and R read as missing values. Those that begin with "-" have an apostrophe. https://pandas.pydata.org/docs/reference/api/pandas.read_csv.html */
const missingWord = /^(NA|N\/A|n\/a|<NA>|#N\/A( N\/A)?|#NA|NULL|null|None|NaN|nan|1\.#(IND|QNAN))$/;

export type CsvValue = string | number | boolean | null;

/**
 * One line of CSV, RFC 4180; null is an empty cell, and a text that readers may take for a missing value is quoted, so that those that look at quotation marks do not. A text that a spreadsheet would take for a formula gets an apostrophe before it, which makes it a
 * text; numbers are left as they are. https://owasp.org/www-community/attacks/CSV_Injection
 */
export function formatCsvRow(values: readonly CsvValue[]): string {
  return `${values.map(formatCell).join(',')}\r\n`;
}

function formatCell(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return formatCsvNumber(value);
  if (typeof value !== 'string') return String(value);
  const text = guardInside(/^(?:[ "]*[=+\-@]|[\t\r])/.test(value) ? `'${value}` : value);
  return /[",;\t\r\n]/.test(text) || missingWord.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Where the decimal sign is a comma, spreadsheets separate cells by semicolons, and some by tabs. They then see a quotation mark amid a cell, which
 * protects nothing, and every separator and line break in a text begins a cell.
 */
function guardInside(text: string): string {
  return text.replace(/([;\t\r\n])(?=[ "]*[=+\-@])/g, "$1'");
}

/**
 * A number as every exported CSV writes it: four decimals, which is 0.1 µs where it is milliseconds, or nine digits where that is more. Clocks are not
 * finer; what a double adds beyond (`1264.4000000000233`) is not measured. JSON and bundles have the numbers as they are.
 */
export function formatCsvNumber(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return String(Number(Math.abs(value) < manyDigits ? value.toPrecision(9) : value.toFixed(4)));
}

/** What a column of an exported table holds, for formats that have types. Any value may be missing. */
export interface TypedColumn {
  name: string;
  /** `time`: ISO 8601. */
  type: 'integer' | 'number' | 'text' | 'boolean' | 'time';
  unit?: MetricUnit | 'ratio';
  definition?: string;
}
