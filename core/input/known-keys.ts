import type { z } from 'zod';

/** The keys that an object schema knows at a path within a larger one; none when the path leads elsewhere. */
export function findKnownKeys(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  let current = unwrap(schema);
  for (const step of path) {
    const next = descend(current, step);
    if (!next) return [];
    current = unwrap(next);
  }
  return keysOf(current);
}

/** Of a union those of each option. */
function keysOf(schema: z.core.$ZodTypes): string[] {
  const { def } = schema._zod;
  if (def.type === 'union') return [...new Set(def.options.flatMap((option) => keysOf(unwrap(option))))];
  return def.type === 'object' ? Object.keys(def.shape) : [];
}

function descend(schema: z.core.$ZodTypes, step: PropertyKey): z.core.$ZodType | undefined {
  const { def } = schema._zod;
  switch (def.type) {
    case 'object':
      return def.shape[String(step)];
    case 'array':
      return def.element;
    case 'record':
      return def.valueType;
    case 'union': // the last option is the one with all keys
      return def.options.length > 0 ? descend(unwrap(def.options.at(-1)!), step) : undefined;
    default:
      return undefined;
  }
}

/** The schema inside of defaults, options and preprocessing. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodTypes {
  const known = schema as z.core.$ZodTypes;
  const { def } = known._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return unwrap(def.innerType);
    case 'pipe':
      return unwrap(def.out);
    default:
      return known;
  }
}
