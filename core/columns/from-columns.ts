import { columnsKey, type Column } from './columns.ts';

/**
 * What `toColumns` was given, of the JSON that it returned. Changes the value in place; JSON without columns is returned as it is. Throws an Error where columns do not fit
 * each other. What values they hold is not checked.
 */
export function fromColumns(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) value[index] = fromColumns(value[index]);
    return value;
  }
  if (columnsKey in value) return toObjects(value[columnsKey]);
  const parts = value as Record<string, unknown>;
  for (const key in parts) parts[key] = fromColumns(parts[key]);
  return value;
}

function toObjects(columns: unknown): Record<string, unknown>[] {
  if (!Array.isArray(columns)) throw new Error(`"${columnsKey}" is not an array`);
  const fields = columns.map(readColumn);
  const whole = fields.filter(({ rows }) => !rows);
  const length = whole[0]?.values.length;
  if (length === undefined) throw new Error(`No column of "${columnsKey}" has a value for every object`);
  for (const { name, values, rows } of fields)
    if (values.length !== (rows ?? { length }).length) throw new Error(`The column "${name}" has another length`);

  // Object after object takes a third less time than column after column.
  const objects: Record<string, unknown>[] = [];
  for (let row = 0; row < length; row++) {
    const object: Record<string, unknown> = {};
    for (const { name, values } of whole) object[name] = values[row];
    objects.push(object);
  }
  for (const { name, values, rows = [] } of fields)
    for (const [index, row] of rows.entries()) {
      const object = Number.isInteger(row) ? objects[row] : undefined;
      if (!object) throw new Error(`The column "${name}" has a value for an object that is not there`);
      object[name] = values[index];
    }
  return objects;
}

function readColumn(column: Partial<Column> | null): { name: string; values: unknown[]; rows?: number[] } {
  const { name, steps, rows } = column ?? {};
  // To set `__proto__` would be to change what the object is.
  if (typeof name !== 'string' || name === '__proto__' || name === columnsKey)
    throw new Error(`A column of "${columnsKey}" has no name that a field may have`);
  const values = Array.isArray(steps) ? fromSteps(steps) : fromColumns(column?.values);
  if (!Array.isArray(values)) throw new Error(`The column "${name}" has no values`);
  if (rows !== undefined && !Array.isArray(rows)) throw new Error(`The column "${name}" has rows that are no array`);
  return { name, values, ...(rows && { rows }) };
}

function fromSteps(steps: readonly unknown[]): (number | null)[] {
  let last = 0;
  return steps.map((step) => {
    if (step === null) return null;
    if (typeof step !== 'number') throw new Error(`A step of a column of "${columnsKey}" is no number`);
    last += step;
    return last / 1000;
  });
}
