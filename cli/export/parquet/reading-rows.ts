import { visitColumns } from '#controller/api/visit-columns.ts';
import type { TypedColumn } from '#core/export/typed-column.ts';
import { catalogue, metricIds } from '#core/metrics/catalogue.ts';
import type { Row } from './parquet-table.ts';

/** What says where a Visit belongs, and whether it counts. */
const keys = [
  'run',
  'block',
  'scenario',
  'user_agent',
  'url',
  'repetition',
  'status',
  'warm_up',
  'round_state',
  'excluded',
  'visit_id',
];

export const readingColumns: readonly TypedColumn[] = [
  ...keys.map((key) => visitColumns.find(({ name }) => name === key)!),
  { name: 'metric', type: 'text' },
  { name: 'unit', type: 'text' },
  { name: 'value', type: 'number' },
  { name: 'absence', type: 'text' },
];

const columnOfMetric = new Map(
  visitColumns.flatMap(({ name, metric }) => (metric === undefined ? [] : [[metric, name] as const])),
);

/** A row for each metric of a Visit that has a value, or a reason why it has none. */
export function listReadings(visit: Row & { absences: Readonly<Record<string, string>> }): Row[] {
  const own = Object.fromEntries(keys.map((key) => [key, visit[key]]));
  return metricIds.flatMap((metric) => {
    const value = visit[columnOfMetric.get(metric)!] ?? null;
    const absence = value === null ? visit.absences[metric] : undefined;
    return value === null && absence === undefined
      ? []
      : [{ ...own, metric, unit: catalogue[metric].unit, value, absence }];
  });
}
