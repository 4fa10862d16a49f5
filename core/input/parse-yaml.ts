import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, visit, type Document } from 'yaml';
import type { z } from 'zod';
import { describeIssues, maximumIssues, type FieldIssue } from './describe-issues.ts';

/** Aliases of aliases can expand a few lines to gigabytes. */
const maximumAliases = 50;

/** A field that is wrong, with its line, from 1; null where the text has no place for it. */
export interface LocatedIssue extends FieldIssue {
  line: number | null;
}

/**
 * What a YAML text says. `malformed`: it is not a document, so its fields are unknown; `wrong`: `input` is what it says, and does not
 * fit the schema.
 */
export type ParsedYaml<Value> =
  | { kind: 'valid'; input: unknown; value: Value }
  | { kind: 'wrong'; input: unknown; issues: LocatedIssue[] }
  | { kind: 'malformed'; issues: LocatedIssue[] };

/** Parses a YAML text (1.2, one document, keys unique) by a schema. Every issue has its line. */
export function parseYaml<Schema extends z.ZodType>(text: string, schema: Schema): ParsedYaml<z.output<Schema>> {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    version: '1.2',
    strict: true,
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter: lines,
  });
  const faults = [...document.errors, ...document.warnings].map(({ pos, message }) => ({ offset: pos[0], message }));
  faults.push(...findRepeatedKeys(document));
  if (faults.length > 0)
    return malformed(faults.map(({ offset, message }) => ({ path: [], line: lines.linePos(offset).line, message })));
  if (document.contents === null) return malformed([{ path: [], line: null, message: 'it is empty' }]);

  let input: unknown;
  try {
    input = document.toJS({ maxAliasCount: maximumAliases });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return malformed([
      { path: [], line: null, message: `its aliases (*name) are unresolved or too many: ${error.message}` },
    ]);
  }
  const parsed = schema.safeParse(input);
  const issues = parsed.success ? findUnstorableText(input) : describeIssues(parsed.error, { schema, input });
  if (parsed.success && issues.length === 0) return { kind: 'valid', input, value: parsed.data };
  return {
    kind: 'wrong',
    input,
    issues: issues.slice(0, maximumIssues).map((issue) => ({ ...issue, line: findLine(issue, { document, lines }) })),
  };
}

function malformed(issues: LocatedIssue[]): ParsedYaml<never> {
  return { kind: 'malformed', issues };
}

/** The library's own check compares every key with every other: a large mapping would take minutes. */
function findRepeatedKeys(document: Document): { offset: number; message: string }[] {
  const repeated: { offset: number; message: string }[] = [];
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value))
          repeated.push({
            offset: offsetOf(key) ?? 0,
            message: `the key ${JSON.stringify(key.value)} appears twice in one mapping`,
          });
        seen.add(key.value);
      }
    },
  });
  return repeated;
}

/** The line of the deepest part of the path that is in the text: a missing key has the line of what should have it. */
function findLine(issue: FieldIssue, { document, lines }: { document: Document; lines: LineCounter }): number | null {
  let node: unknown = document.contents;
  let offset = offsetOf(node);
  for (const step of issue.path) {
    const target = isAlias(node) ? node.resolve(document) : node;
    const child = isMap(target)
      ? target.items.find((pair) => String(isScalar(pair.key) ? pair.key.value : pair.key) === String(step))
      : isSeq(target)
        ? target.items[Number(step)]
        : undefined;
    if (child === undefined) break;
    offset = offsetOf(isPair(child) ? child.key : child) ?? offset;
    node = isPair(child) ? child.value : child;
  }
  return offset === null ? null : lines.linePos(offset).line;
}

function offsetOf(node: unknown): number | null {
  const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : null;
  return Array.isArray(range) && typeof range[0] === 'number' ? range[0] : null;
}

/** Every text in a document that PostgreSQL cannot store: it knows neither the character U+0000 nor half a surrogate pair. */
export function findUnstorableText(value: unknown, path: PropertyKey[] = []): FieldIssue[] {
  if (typeof value === 'string')
    return isStorable(value)
      ? []
      : [{ path, message: 'must not contain the character U+0000 or half of a surrogate pair' }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => {
    if (!isStorable(key))
      return [{ path, message: 'must not have a key with the character U+0000 or half of a surrogate pair' }];
    return findUnstorableText(each, [...path, Array.isArray(value) ? Number(key) : key]);
  });
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
