import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import type { ExportedVisit } from '../db/visit-export.ts';
import { formatCsvRow } from '#core/export/format-csv-row.ts';
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
    yield (
      separator +
      JSON.stringify(Object.fromEntries(visitColumns.map((column) => [column.name, column.valueOf(visit, from)])))
    );
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}
