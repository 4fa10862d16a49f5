/** The key of an object that holds the columns of an array of objects. No object that is turned into columns may have it. */
const columnsKey = '$columns';

/** The values of one field of the objects of an array, in order. */
interface Column {
  name: string;
  /** Of numbers with at most three decimals, some of which have any: each as its step from the one before, in thousandths, the first from 0. */
  steps?: (number | null)[];
  /** Of all others. `Columns` where they are objects. */
  values?: unknown;
  /** The places of the objects that have the field; left out where all have it, as for at least one column. */
  rows?: number[];
}

interface Columns {
  [columnsKey]: Column[];
}

/** Thousandths of such numbers, and steps between them, are exact. */
const greatestInSteps = 2 ** 51 / 1000;
/** Columns of fewer objects take about as many bytes as these, and longer to read. */
const fewestObjects = 8;

/**
 * JSON with every array of eight objects and more as columns, from which `fromColumns` makes the same value again. Compressed, the columns of a page's requests have two thirds of the bytes of
 * its objects: like stands beside like, and times that differ little are small steps.
 */
export function toColumns(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (areObjects(value) && arrangeColumns(value)) || value.map(toColumns);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toColumns(each)]));
}

function areObjects(values: unknown[]): values is Record<string, unknown>[] {
  return (
    values.length >= fewestObjects &&
    values.every((each) => typeof each === 'object' && each !== null && !Array.isArray(each))
  );
}

/** Null where no field is in all of the objects. */
function arrangeColumns(objects: Record<string, unknown>[]): Columns | null {
  const fields = new Map<string, { values: unknown[]; rows: number[] }>();
  for (const [row, object] of objects.entries())
    for (const key in object) {
      if (object[key] === undefined) continue; // JSON has none
      const field = fields.get(key) ?? { values: [], rows: [] };
      fields.set(key, field);
      field.values.push(object[key]);
      field.rows.push(row);
    }
  const columns = Array.from(fields, ([name, { values, rows }]): Column => {
    const steps = toSteps(values);
    return {
      name,
      ...(steps ? { steps } : { values: toColumns(values) }),
      ...(rows.length < objects.length && { rows }),
    };
  });
  return columns.some(({ rows }) => !rows) ? { [columnsKey]: columns } : null;
}

/** Null where they are not what `Column` says. */
function toSteps(values: unknown[]): (number | null)[] | null {
  let hasDecimals = false;
  for (const value of values) {
    if (value === null) continue;
    if (typeof value !== 'number' || Math.abs(value) > greatestInSteps) return null;
    if (Math.round(value * 1000) / 1000 !== value) return null;
    hasDecimals ||= !Number.isInteger(value);
  }
  if (!hasDecimals) return null;
  let last = 0;
  return (values as (number | null)[]).map((value) => {
    if (value === null) return null;
    const step = Math.round(value * 1000) - last;
    last += step;
    return step;
  });
}

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
