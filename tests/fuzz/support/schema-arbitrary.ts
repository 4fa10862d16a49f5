import fc from 'fast-check';
import type { z } from 'zod';

interface Check {
  check: string;
  minimum?: number;
  maximum?: number;
  value?: number;
  inclusive?: boolean;
  pattern?: RegExp;
  format?: string;
}

const texts: Partial<Record<string, fc.Arbitrary<string>>> = {
  uuid: fc.uuid(),
  ipv4: fc.ipV4(),
  ipv6: fc.ipV6(),
  url: fc.webUrl(),
  datetime: fc
    .date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') })
    .map((date) => date.toISOString()),
};

/** Values that fit a schema in all but its own refinements: the shape, the kinds, the bounds and the patterns. */
export function arbitraryOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const checks = readChecks(schema);
  switch (def.type) {
    case 'object': {
      const shape = Object.entries(def.shape);
      const required = shape.filter(([, each]) => !isOptional(each)).map(([name]) => name);
      return fc.record(Object.fromEntries(shape.map(([name, each]) => [name, arbitraryOf(each)])), {
        requiredKeys: required,
      });
    }
    case 'array':
      return fc.array(arbitraryOf(def.element), {
        minLength: checks.minimum ?? 0,
        maxLength: Math.max(checks.minimum ?? 0, Math.min(checks.maximum ?? 3, 3)),
      });
    case 'record':
      return fc.dictionary(arbitraryOf(def.keyType) as fc.Arbitrary<string>, arbitraryOf(def.valueType), {
        maxKeys: 3,
        noNullPrototype: true,
      });
    case 'tuple':
      return fc.tuple(...def.items.map(arbitraryOf));
    case 'union':
      return fc.oneof(...def.options.map(arbitraryOf));
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries));
    case 'literal':
      return fc.constantFrom(...def.values);
    case 'string':
      return makeText(checks);
    case 'number':
      return makeNumber(checks);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'nullable':
      return fc.option(arbitraryOf(def.innerType), { nil: null });
    case 'optional':
    case 'default':
    case 'prefault':
    case 'readonly':
      return arbitraryOf(def.innerType);
    case 'pipe':
      return (def.out as z.core.$ZodTypes)._zod.def.type === 'transform' ? arbitraryOf(def.in) : arbitraryOf(def.out);
    case 'unknown':
    case 'any':
      return fc.jsonValue({ maxDepth: 2 });
    case 'undefined':
    case 'never':
    case 'void':
      return fc.constant(undefined);
    default:
      throw new Error(`No inputs can be made of a schema of type ${def.type}`);
  }
}

function makeText({ pattern, format, minimum = 0, maximum = 40 }: Bounds): fc.Arbitrary<string> {
  const known = format === undefined ? undefined : texts[format];
  if (known !== undefined) return known;
  // Letters of one case are enough, and fast-check knows no other flag.
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern.source)).map((text) => text.slice(0, maximum));
  return fc.string({ minLength: minimum, maxLength: Math.max(minimum, Math.min(maximum, 40)), unit: 'binary' });
}

function makeNumber({
  isWhole,
  minimum = -1e15,
  maximum = 1e15,
  isMinimumOut,
  isMaximumOut,
}: Bounds): fc.Arbitrary<number> {
  const low = isMinimumOut === true ? Math.floor(minimum) + 1 : Math.ceil(minimum);
  const high = isMaximumOut === true ? Math.ceil(maximum) - 1 : Math.floor(maximum);
  const whole =
    low <= high ? [fc.integer({ min: low, max: high }), fc.integer({ min: low, max: Math.min(high, low + 100) })] : [];
  const broken = fc.double({
    min: minimum,
    max: maximum,
    noNaN: true,
    minExcluded: isMinimumOut === true,
    maxExcluded: isMaximumOut === true,
  });
  return fc.oneof(...whole, ...(isWhole === true ? [] : [broken]));
}

interface Bounds {
  minimum?: number;
  maximum?: number;
  isMinimumOut?: boolean;
  isMaximumOut?: boolean;
  isWhole?: boolean;
  pattern?: RegExp;
  format?: string;
}

/** The bounds of a schema, those of its definition and those that were added. */
function readChecks(schema: z.core.$ZodType): Bounds {
  const { def } = schema._zod;
  const own = def as unknown as Check;
  const added = (def.checks ?? []).map((each) => each._zod.def as unknown as Check);
  const found: Bounds = {};
  for (const { check, minimum, maximum, value, inclusive, pattern, format } of [own, ...added]) {
    if (check === 'min_length' && minimum !== undefined) found.minimum = minimum;
    if (check === 'max_length' && maximum !== undefined) found.maximum = maximum;
    if (check === 'greater_than' && value !== undefined)
      Object.assign(found, { minimum: value, isMinimumOut: inclusive === false });
    if (check === 'less_than' && value !== undefined)
      Object.assign(found, { maximum: value, isMaximumOut: inclusive === false });
    if (check === 'number_format') found.isWhole = true;
    if (check === 'string_format' && format === 'regex' && pattern !== undefined) found.pattern = pattern;
    else if (check === 'string_format' && format !== undefined) found.format = format;
  }
  return found;
}

function isOptional(schema: z.core.$ZodType): boolean {
  return ['optional', 'default', 'prefault'].includes(schema._zod.def.type) || schema._zod.def.type === 'never';
}
