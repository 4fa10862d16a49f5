import { visitColumns } from '#controller/visits/visit-columns.ts';
import { catalogue, type MetricId } from '#core/metrics/index.ts';

const row = /^\| `([\da-z_]+)` \|.*$/;

/** The data dictionary with one row for each metric's column, as the catalogue has it. Rows of other columns are kept; new metrics follow the column before them. */
export function formatMetricRows(document: string): string {
  const lines = document.split('\n').filter((line) => !line.includes('| The metric `'));
  const placeOf = (name: string) => lines.findIndex((line) => row.exec(line)?.[1] === name);
  visitColumns.forEach(({ name, metric }, index) => {
    if (metric !== undefined) lines.splice(placeOf(visitColumns[index - 1]!.name) + 1, 0, formatRow(name, metric));
  });
  return lines.join('\n');
}

function formatRow(name: string, metric: MetricId): string {
  return `| \`${name}\` | ${catalogue[metric].unit} | The metric \`${metric}\`. |`;
}
