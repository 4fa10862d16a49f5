/** The key of an object that holds the columns of an array of objects. No object that is turned into columns may have it. */
const columnsKey = '$columns';

type Thousandths = number | null;
type Constant = string | number | boolean | null;

/** The values of one field of the objects of an array, in order: in one of four ways. */
interface Column {
  name: string;
  /** Of all objects that have the field. */
  value?: Constant;
  /** Of numbers with at most three decimals, some of which have any: each as its step from the one before, in thousandths, the first from 0. */
  steps?: Thousandths[];
  /** Of such numbers: each as its distance from the value of the base in the same object; the base is the first column of steps that has a number for every object. `false`: 0. */
  from?: (Thousandths | false)[];
  /** Of all others. `Columns` where they are objects. */
  values?: unknown;
  /** The places of the objects that have the field; left out where all have it, as for at least one column that is no `value`. */
  rows?: number[];
}

interface Columns {
  [columnsKey]: Column[];
}

/** Thousandths of such numbers, and steps between them, are exact. */
const greatestInSteps = 2 ** 51 / 1000;
/** Columns of fewer objects take about as many bytes as these, and longer to read. */
const fewestObjects = 8;
/** Of all objects of a value: a `value` is written once, and may be meant for many. As many as 50,000 requests have fields. */
const mostConstants = 2_000_000;

/**
 * JSON with every array of eight objects and more as columns, from which `fromColumns` makes the same value again. Compressed, the columns of a page's requests have half of the bytes of
 * its objects: like stands beside like, what is always the same is written once, and times that differ little are small steps.
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
  const isWhole = (rows: readonly number[]) => rows.length === objects.length;
  // Some column of all objects says how many they are, even if it could be one value.
  const whole = Array.from(fields).filter(([, { rows }]) => isWhole(rows));
  const [counting] = whole.find(([, { values }]) => !isConstant(values)) ?? whole[0] ?? [null];
  if (counting === null) return null;
  let base: number[] | null = null;
  const columns: Column[] = [];
  for (const [name, { values, rows }] of fields) {
    const places = isWhole(rows) ? {} : { rows };
    if (name !== counting && isConstant(values)) {
      columns.push({ name, value: values[0] as Constant, ...places });
      continue;
    }
    const thousandths = toThousandths(values);
    if (!thousandths) {
      columns.push({ name, values: toColumns(values), ...places });
      continue;
    }
    const steps = toSteps(thousandths);
    const from = base && toDistances(thousandths, { base, rows });
    columns.push({ name, ...(from && sizeOf(from) < sizeOf(steps) ? { from } : { steps }), ...places });
    if (isWhole(rows) && !thousandths.includes(null)) base ??= thousandths as number[];
  }
  return { [columnsKey]: columns };
}

function isConstant(values: readonly unknown[]): boolean {
  const [first] = values;
  return (typeof first !== 'object' || first === null) && values.every((value) => value === first);
}

/** Null where they are not what `steps` says. */
function toThousandths(values: readonly unknown[]): Thousandths[] | null {
  let hasDecimals = false;
  const thousandths: Thousandths[] = [];
  for (const value of values) {
    if (value === null) {
      thousandths.push(null);
      continue;
    }
    if (typeof value !== 'number' || Math.abs(value) > greatestInSteps) return null;
    const whole = Math.round(value * 1000);
    if (whole / 1000 !== value) return null;
    thousandths.push(whole);
    hasDecimals ||= !Number.isInteger(value);
  }
  return hasDecimals ? thousandths : null;
}

function toSteps(thousandths: readonly Thousandths[]): Thousandths[] {
  let last = 0;
  return thousandths.map((value) => {
    if (value === null) return null;
    const step = value - last;
    last = value;
    return step;
  });
}

function toDistances(
  thousandths: readonly Thousandths[],
  { base, rows }: { base: readonly number[]; rows: readonly number[] },
): (Thousandths | false)[] {
  return thousandths.map((value, index) => (value === null ? null : value === 0 ? false : value - base[rows[index]!]!));
}

/** About the digits that they take. */
function sizeOf(numbers: readonly (Thousandths | false)[]): number {
  return numbers.reduce<number>((sum, each) => sum + Math.log2(1 + Math.abs(Number(each))), 0);
}

/**
 * What `toColumns` was given, of the JSON that it returned. Changes the value in place; JSON without columns is returned as it is. Throws an Error where columns do not fit
 * each other. What values they hold is not checked.
 */
export function fromColumns(value: unknown): unknown {
  return new ColumnReader().read(value);
}

interface ReadField {
  name: string;
  /** Null of a `value`, which is `constant`. */
  values: unknown[] | null;
  constant?: unknown;
  rows?: unknown[];
}

class ColumnReader {
  #constantsLeft = mostConstants;

  read(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) value[index] = this.read(value[index]);
      return value;
    }
    if (columnsKey in value) return this.#toObjects(value[columnsKey]);
    const parts = value as Record<string, unknown>;
    for (const key in parts) parts[key] = this.read(parts[key]);
    return value;
  }

  #toObjects(columns: unknown): Record<string, unknown>[] {
    if (!Array.isArray(columns)) throw new Error(`"${columnsKey}" is not an array`);
    const fields = this.#readFields(columns);
    const length = fields.find(({ values, rows }) => values && !rows)?.values?.length;
    if (length === undefined) throw new Error(`No column of "${columnsKey}" has a value for every object`);
    for (const { name, values, rows } of fields) {
      const wanted = (rows ?? { length }).length;
      if (values && values.length !== wanted) throw new Error(`The column "${name}" has another length`);
      if (!values) this.#constantsLeft -= wanted;
    }
    if (this.#constantsLeft < 0)
      throw new Error(`Some column of one value is meant for more than ${mostConstants} objects`);

    // Object after object takes a third less time than column after column.
    const objects: Record<string, unknown>[] = [];
    const whole = fields.filter(({ rows }) => !rows);
    for (let row = 0; row < length; row++) {
      const object: Record<string, unknown> = {};
      for (const { name, values, constant } of whole) object[name] = values ? values[row] : constant;
      objects.push(object);
    }
    for (const { name, values, constant, rows = [] } of fields)
      for (const [index, row] of rows.entries()) {
        const object = Number.isInteger(row) ? objects[row as number] : undefined;
        if (!object) throw new Error(`The column "${name}" has a value for an object that is not there`);
        object[name] = values ? values[index] : constant;
      }
    return objects;
  }

  #readFields(columns: unknown[]): ReadField[] {
    let base: readonly unknown[] | null = null;
    return columns.map((column) => {
      const { name, value, steps, from, values, rows } = (column ?? {}) as { [Key in keyof Column]: unknown };
      // To set `__proto__` would be to change what the object is.
      if (typeof name !== 'string' || name === '__proto__' || name === columnsKey)
        throw new Error(`A column of "${columnsKey}" has no name that a field may have`);
      if (rows !== undefined && !Array.isArray(rows))
        throw new Error(`The column "${name}" has rows that are no array`);
      const places = rows && { rows: rows as unknown[] };
      if (value !== undefined) {
        if (typeof value === 'object' && value !== null)
          throw new Error(`The one value of the column "${name}" is an object`);
        return { name, values: null, constant: value, ...places };
      }
      const read = Array.isArray(steps)
        ? fromSteps(steps)
        : Array.isArray(from)
          ? fromDistances(from, { base: base ?? [], rows: places?.rows })
          : this.read(values);
      if (!Array.isArray(read)) throw new Error(`The column "${name}" has no values`);
      if (Array.isArray(steps) && !rows && !read.includes(null)) base ??= read;
      return { name, values: read as unknown[], ...places };
    });
  }
}

function fromSteps(steps: readonly unknown[]): Thousandths[] {
  let last = 0;
  return steps.map((step) => {
    if (step === null) return null;
    last += readNumber(step);
    return last / 1000;
  });
}

function fromDistances(
  distances: readonly unknown[],
  { base, rows }: { base: readonly unknown[]; rows: readonly unknown[] | undefined },
): Thousandths[] {
  return distances.map((distance, index) => {
    if (distance === null) return null;
    if (distance === false) return 0;
    const row = rows ? rows[index] : index;
    const start = typeof row === 'number' ? base[row] : undefined;
    return (Math.round(readNumber(start) * 1000) + readNumber(distance)) / 1000;
  });
}

function readNumber(value: unknown): number {
  if (typeof value !== 'number') throw new Error(`A step of a column of "${columnsKey}" is no number`);
  return value;
}
