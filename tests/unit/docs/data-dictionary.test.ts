import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { visitColumns } from '#controller/visits/visit-columns.ts';
import { BundleLineSchema } from '#core/record/bundle-line.ts';
import { formatMetricRows } from './support/format-metric-rows.ts';

const text = await readFile(path.resolve(import.meta.dirname, '../../../docs/data-dictionary.md'), 'utf8');

test('docs/data-dictionary.md lists every exported column in order', () => {
  const rows = [
    ...text.slice(0, text.indexOf('## Parquet')).matchAll(/^\| (`[\da-z_`, ]+`) \| (\S.*) \| (\S.+) \|$/gm),
  ].flatMap(([, names, unit]) => [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => ({ name: name!, unit: unit! })));
  const listed = rows.filter(({ name }) => visitColumns.some((column) => column.name === name));
  expect(listed.map(({ name }) => name)).toEqual(visitColumns.map(({ name }) => name));
  // The types and units that Parquet has are those of the table.
  const typeOf = new Map([
    ['text', 'text'],
    ['UUID', 'text'],
    ['ISO 8601, UTC', 'time'],
    ['whole number', 'integer'],
    ['`true`, `false`', 'boolean'],
  ]);
  for (const { name, type, unit, metric } of visitColumns) {
    if (metric !== undefined) continue;
    const stated = listed.find((row) => row.name === name)!.unit;
    if (unit === 'ratio') expect(stated, name).toBe('0 to 1');
    else if (unit !== undefined && stated !== 'whole number') expect(stated, name).toBe(unit);
    if (typeOf.has(stated)) expect(type, name).toBe(typeOf.get(stated));
  }
});

test('it has the metrics as the catalogue has them', () => {
  expect(text, 'write it with "node tests/unit/docs/write-reference.ts"').toBe(formatMetricRows(text));
});

test('it lists every kind of line of a bundle', () => {
  const kinds = BundleLineSchema.options.map((option) => option.shape.kind.value);
  const listed = [...text.slice(text.indexOf('## Bundle')).matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, kind]) => kind!);
  expect(listed.filter((kind) => kind !== 'kind').sort()).toEqual(kinds.sort());
});
