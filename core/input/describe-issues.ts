import type { z } from 'zod';
import type { UnknownKeys } from './stop-pipe.ts';

/** One field that is wrong, and how to fix it. */
export interface FieldIssue {
  path: PropertyKey[];
  message: string;
}

/** Enough to fix a document; a thousand mistakes are listed in steps. */
export const maximumIssues = 100;

/** For schemas that do not say it in their own words. */
const kindNames: Partial<Record<string, string>> = {
  object: 'a mapping of keys to values',
  record: 'a mapping of keys to values',
  array: 'a list',
  string: 'a text',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
};

/** Puts the issues of a schema into words for people: unknown keys one by one, with the key that was probably meant. */
export function describeIssues(
  error: z.core.$ZodError,
  { schema, input }: { schema: z.core.$ZodType; input: unknown },
): FieldIssue[] {
  return error.issues.flatMap((issue): FieldIssue[] => {
    const { path } = issue;
    switch (issue.code) {
      case 'unrecognized_keys':
        return describeUnknownKeys(issue.keys, { schema, path });
      case 'custom': {
        const { unknownKeys } = (issue.params ?? {}) as Partial<UnknownKeys>;
        return unknownKeys ? describeUnknownKeys(unknownKeys, { schema, path }) : [describe(issue, input)];
      }
      case 'invalid_union':
        return [{ path, message: hasOwnWords(issue) ? issue.message : joinWords(issue.errors.flat()) }];
      case 'invalid_key':
        return [{ path, message: `the name ${issue.issues.map(wordIssue).join(' and ')}` }];
      default:
        return [describe(issue, input)];
    }
  });
}

function describe(issue: z.core.$ZodIssue, input: unknown): FieldIssue {
  const { path } = issue;
  const words = wordIssue(issue);
  // YAML takes 1.1 and true for something else, though people mean a name.
  if (words === 'must be a text' && ['number', 'boolean'].includes(typeof path.reduce<unknown>(readKey, input)))
    return { path, message: `${words}: put quotes around it` };
  const isSaid = words.startsWith('is missing') || !isMissing(input, path);
  return { path, message: isSaid ? words : `is missing: it ${words}` };
}

function describeUnknownKeys(
  keys: readonly string[],
  { schema, path }: { schema: z.core.$ZodType; path: PropertyKey[] },
): FieldIssue[] {
  const known = findKnownKeys(schema, path);
  return keys.slice(0, maximumIssues).map((key) => ({ path: [...path, key], message: describeUnknownKey(key, known) }));
}

/** Whether the schema says itself what must be there. */
const hasOwnWords = ({ message }: z.core.$ZodIssue) => message !== 'Invalid input';

const joinWords = (issues: readonly z.core.$ZodIssue[]) => [...new Set(issues.map(wordIssue))].join(', or ');

/** `scenarios[1].browser.proxy`; a key that is not a plain word is in brackets and quotes. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      const key = String(step);
      if (!/^[A-Za-z_][\w-]*$/.test(key)) return `[${JSON.stringify(key)}]`;
      return index === 0 ? key : `.${key}`;
    })
    .join('');
}

/** The path that `formatPath` wrote; what of a text is none is left out. */
export function readFormattedPath(text: string): (string | number)[] {
  const steps = text.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|\.?([A-Za-z_][\w-]*)/g);
  return [...steps].map(([, index, quoted, key]) =>
    index !== undefined ? Number(index) : quoted !== undefined ? (JSON.parse(quoted) as string) : key!,
  );
}

/** The schema's own words where it has any. */
function wordIssue(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_type' || !issue.message.startsWith('Invalid input')) return issue.message;
  return `must be ${kindNames[issue.expected] ?? issue.expected}`;
}

function describeUnknownKey(key: string, known: string[]): string {
  if (key === '<<') return 'YAML 1.2 merges no mappings: write out what "<<" stands for';
  const name = key.slice(0, 80).toLowerCase();
  const likely = known
    .map((each) => ({ each, distance: editDistance(name, each.toLowerCase()) }))
    .filter(({ each, distance }) => distance <= Math.max(1, name.length / 3) || each.toLowerCase().startsWith(name))
    .sort((a, b) => a.distance - b.distance)[0];
  const fix = likely ? `did you mean "${likely.each}"?` : `known here: ${known.map((each) => `"${each}"`).join(', ')}`;
  return `unknown key "${key}"; ${fix}`;
}

/** Whether the object that should have the field is there, and has no such key. */
function isMissing(input: unknown, path: readonly PropertyKey[]): boolean {
  if (path.length === 0) return false;
  const parent = path.slice(0, -1).reduce<unknown>((value, step) => readKey(value, step), input);
  return typeof parent === 'object' && parent !== null && !Object.hasOwn(parent, path.at(-1)!);
}

function readKey(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<PropertyKey, unknown>)[key]
    : undefined;
}

/** The keys that an object schema knows at a path within a larger one; none when the path leads elsewhere. */
function findKnownKeys(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
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

/** How many letters must be put in, taken out or changed to make one word the other. Levenshtein 1966, by rows (Wagner, Fischer 1974). */
export function editDistance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [row, letter] of one.split('').entries()) {
    const current = [row + 1];
    for (const [column, otherLetter] of other.split('').entries()) {
      current.push(
        Math.min(current[column]! + 1, above[column + 1]! + 1, above[column]! + (letter === otherLetter ? 0 : 1)),
      );
    }
    above = current;
  }
  return above.at(-1)!;
}
