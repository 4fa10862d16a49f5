import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import type { ExportedVisit } from '../db/visits/visit-export.ts';
import { formatCsvRow, type CsvValue } from '#core/export/format-csv-row.ts';
import { visitColumns } from './visit-columns.ts';

/** A line of names, then a line per Visit. */
export async function* formatVisitsAsCsv(
  visits: AsyncIterable<ExportedVisit>,
  from: LatencyOrigin,
): AsyncGenerator<string> {
  yield formatCsvRow(visitColumns.map((column) => column.name));
  for await (const visit of visits) yield formatCsvRow(visitColumns.map((column) => column.valueOf(visit, from)));
}

/** A list with an object per Visit; what has no value is null. */
export async function* formatVisitsAsJson(
  visits: AsyncIterable<ExportedVisit>,
  from: LatencyOrigin,
): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const visit of visits) {
    yield separator + JSON.stringify(toRow(visit, from));
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** An object per line, which can be read while it comes. Each also has `absences`: why a metric has no value. A last line counts them, so that a reader notices an end that came too early. */
export async function* formatVisitsAsLines(
  visits: AsyncIterable<ExportedVisit>,
  from: LatencyOrigin,
): AsyncGenerator<string> {
  let count = 0;
  for await (const visit of visits) {
    yield `${JSON.stringify({ ...toRow(visit, from), absences: visit.absences })}\n`;
    count++;
  }
  yield `${JSON.stringify({ visits: count })}\n`;
}

function toRow(visit: ExportedVisit, from: LatencyOrigin): Record<string, CsvValue> {
  return Object.fromEntries(visitColumns.map((column) => [column.name, column.valueOf(visit, from)]));
}
