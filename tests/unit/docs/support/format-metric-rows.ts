import { visitColumns } from '#controller/visits/visit-columns.ts';

const rest = 'as the metric | The [metrics](metrics.md) of these names: `total_ms` is `totalMs`. |';

/** The data dictionary with one row for all columns of metrics that follow each other. Rows of other columns are kept. */
export function formatMetricRows(document: string): string {
  const lines = document.split('\n').filter((line) => !line.endsWith(rest));
  const placeAfter = (name: string) => lines.findIndex((line) => line.split(' | ')[0]!.endsWith(`\`${name}\``)) + 1;
  for (const [index, { metric }] of visitColumns.entries()) {
    const before = visitColumns[index - 1];
    if (metric === undefined || !before || before.metric !== undefined) continue;
    const end = visitColumns.findIndex((column, place) => place > index && column.metric === undefined);
    const names = visitColumns.slice(index, end).map(({ name }) => `\`${name}\``);
    lines.splice(placeAfter(before.name), 0, `| ${names.join(', ')} | ${rest}`);
  }
  return lines.join('\n');
}
